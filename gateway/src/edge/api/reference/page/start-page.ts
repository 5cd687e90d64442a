/** Renders the page at `/`: what the server is and where its reference is. */
import type { ApiDocument } from '../document.ts'
import { html } from './html.ts'
import type { PageAddresses } from './page.ts'

export function renderStartPage({ info }: ApiDocument, addresses: PageAddresses): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title}</title>
        <link rel="stylesheet" href="${addresses.style}" />
        <link rel="icon" href="data:," />
      </head>
      <body class="start">
        <main>
          <h1>${info.title} <span class="version">${info.version}</span></h1>
          <p>This server sends messages over SMS, MMS, RCS and KakaoTalk through one HTTP API.</p>
          <ul>
            <li>
              <a href="${addresses.page}">API reference</a>: every operation, field and result code, with
              examples
            </li>
            <li><a href="${addresses.document}">OpenAPI 3.1 document</a>: the same for tools</li>
            <li>
              <a href="${addresses.clientDocument}">OpenAPI 3.0 document for clients</a>: for generators
            </li>
          </ul>
          <p>
            Requests need a token:
            <a href="${addresses.page}#tag-Token">exchange the account ID and password</a> for one.
          </p>
        </main>
      </body>
    </html> `
  return page.text
}
