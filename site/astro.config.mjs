// The documentation site: pages are written by tools/docs/site.ts from docs/, the reference of the API comes from gateway/openapi.json.
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import starlightLinksValidator from 'starlight-links-validator'
import starlightOpenAPI, { openAPISidebarGroups } from 'starlight-openapi'
import sidebar from './src/sidebar.json' with { type: 'json' }

const site = process.env.POSTERN_SITE_URL

export default defineConfig({
  ...(site === undefined ? {} : { site }),
  integrations: [
    starlight({
      title: 'Postern',
      description: 'An omnichannel messaging gateway: one HTTP API, one outcome for every message.',
      locales: { root: { label: 'English', lang: 'en' }, ko: { label: '한국어', lang: 'ko' } },
      // The API reference stands after the section Reference.
      sidebar: [...sidebar.slice(0, 4), ...openAPISidebarGroups, ...sidebar.slice(4)],
      customCss: ['./src/site.css'],
      plugins: [
        starlightOpenAPI([
          {
            base: 'api',
            schema: '../gateway/openapi.json',
            sidebar: { label: 'API reference', collapsed: true },
          },
        ]),
        // Pages that are not translated show the English text under their Korean address.
        starlightLinksValidator({ errorOnFallbackPages: false, exclude: ['/api/**', '/ko/api/**'] }),
      ],
    }),
  ],
})
