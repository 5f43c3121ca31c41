import { defineConfig } from 'astro/config';
import mdx from '@astrojs/mdx';
import directive from 'remark-directive';
import { boxes } from './boxes.mjs';

export default defineConfig({
  site: 'https://boats.example',
  integrations: [mdx()],
  markdown: { remarkPlugins: [directive, boxes], syntaxHighlight: false },
});
