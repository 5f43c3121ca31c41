// permalink: false
export default { tags: ['nothing'], author: 'Nobody' };
