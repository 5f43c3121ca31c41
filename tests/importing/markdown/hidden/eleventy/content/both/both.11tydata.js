export default { permalink: false };
