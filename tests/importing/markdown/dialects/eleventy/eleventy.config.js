export default function (config) {
  return { dir: { input: 'content', output: '_site', includes: '../_includes' } };
}
