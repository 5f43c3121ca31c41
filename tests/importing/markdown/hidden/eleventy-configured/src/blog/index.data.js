module.exports = { permalink: false };
