// The folder of contents is not the usual one.
module.exports = function (config) {
  config.setDataFileSuffixes([".data", ""]);
  config.setDataFileBaseName("index");
  config.addLayoutAlias("secret", "hidden.njk");
  config.addGlobalData("author", "Olga Owner");
  config.addGlobalData("layout", "post.njk"); /* for all */
  config.ignores.add("src/posts/ignored-*.md");
  config.addPreprocessor("drafts", "*", (data) => {
    if (data.draft) {
      return false;
    }
  });
  return { dir: { input: "src", includes: "parts", layouts: "frames", data: "values" } };
};
