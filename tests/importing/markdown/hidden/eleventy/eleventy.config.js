export default function (config) {
  config.ignores.add("content/ignored/**");
  // config.ignores.add("content/posts/**");
  return { dir: { input: "content", includes: "_includes" } };
}
