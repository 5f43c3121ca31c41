export default () => ({ permalink: false });
