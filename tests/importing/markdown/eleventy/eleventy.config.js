export default function (config) {
  config.addPassthroughCopy('content/img');
  return { dir: { input: 'content', output: '_site', includes: '../_includes' } };
}
