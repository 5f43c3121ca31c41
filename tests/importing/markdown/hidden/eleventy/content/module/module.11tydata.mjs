const nothing = 1;
export default { eleventyComputed: { permalink: (data) => (data.open ? data.permalink : false) } };
