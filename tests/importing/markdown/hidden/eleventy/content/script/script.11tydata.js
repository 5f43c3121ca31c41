export default { permalink: false, author: 'Script' };
