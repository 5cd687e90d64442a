import { explainReportCode, reportCodes, toReportOutcome } from '../../../../channels/report-codes.ts'
import type { ApiDocument } from '../document.ts'
import type { Operation, ApiTagName } from '../operation.ts'
import { apiTags } from '../operations.ts'
import { responseHeaders } from '../parameters.ts'
import { pushes } from '../pushes.ts'
import { ref } from '../ref.ts'
import { fieldTable, formatType, type Schema } from './fields.ts'
import { html, inline, prose, type Html } from './html.ts'
import { operationSection } from './operation.ts'

export interface PageAddresses {
  readonly page: string
  readonly document: string
  readonly clientDocument: string
  readonly style: string
}

/**
 * Renders the reference as one page without scripts, once at startup. It uses the same descriptions as the
 * OpenAPI document and loads nothing from other servers.
 */
export function renderPage(
  operations: readonly Operation[],
  document: ApiDocument,
  addresses: PageAddresses,
): string {
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>
  const find = (name: string): Schema => schemas[name]!
  const names = Object.keys(apiTags) as ApiTagName[]
  const getTagged = (tag: ApiTagName): Operation[] => operations.filter((operation) => operation.tag === tag)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.info.title}</title>
        <link rel="stylesheet" href="${addresses.style}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <nav aria-label="Contents">
          <a class="brand" href="#top">${document.info.title}</a>
          ${names.map(
            (tag) =>
              html`<div class="group">
                <a class="tag" href="#tag-${tag}">${tag}</a>
                <ul>
                  ${getTagged(tag).map(navItem)}
                </ul>
              </div>`,
          )}
          <div class="group"><a class="tag" href="#pushes">Pushes</a></div>
          <div class="group"><a class="tag" href="#headers">Headers</a></div>
          <div class="group"><a class="tag" href="#object-${reportCodeObject}">Report codes</a></div>
          <div class="group"><a class="tag" href="#objects">Objects</a></div>
        </nav>
        <main id="top">
          <header>
            <h1>${document.info.title} <span class="version">${document.info.version}</span></h1>
            ${prose(document.info.description)}
            <p>
              For tools there is an <a href="${addresses.document}">OpenAPI 3.1</a> document. In the examples
              <code>$POSTERN</code> is the address of this server and <code>$TOKEN</code> is a token. Features
              marked <span class="extension">extension</span> are not part of the published contract.
            </p>
            ${stepList(names)}
          </header>
          ${names.map((tag) => tagSection(tag, getTagged(tag), find))} ${pushSection()} ${headerSection()}
          ${reportCodeSection()} ${objectSection(schemas)}
        </main>
      </body>
    </html> `
  return page.text
}

function navItem({ id, method, summary }: Operation): Html {
  return html`<li>
    <a href="#${id}"><span class="method ${method}">${method.toUpperCase()}</span> ${summary}</a>
  </li>`
}

function stepList(names: readonly ApiTagName[]): Html {
  return html`<ol class="steps">
    ${names.map((tag) => html`<li><a href="#tag-${tag}">${tag}</a><span>${apiTags[tag]}</span></li>`)}
  </ol>`
}

function tagSection(tag: ApiTagName, operations: readonly Operation[], find: (name: string) => Schema): Html {
  return html`<section class="tag" id="tag-${tag}">
    <h2>${tag}</h2>
    <p>${apiTags[tag]}</p>
    ${operations.map((operation) => operationSection(operation, find))}
  </section>`
}

function headerSection(): Html {
  return html`<section class="tag" id="headers">
    <h2>Response headers</h2>
    <table class="fields">
      <tbody>
        ${Object.values(responseHeaders).map(
          ({ name, description }) =>
            html`<tr>
              <td><code class="name">${name}</code> <span class="extension">extension</span></td>
              <td>${description}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

function pushSection(): Html {
  return html`<section class="tag" id="pushes">
    <h2>Pushes to webhooks</h2>
    <table class="fields">
      <tbody>
        ${Object.values(pushes).map(
          ({ summary, description, schema }) =>
            html`<tr>
              <td>${summary}</td>
              <td class="type">${formatType(ref(schema))}</td>
              <td>${inline(description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

/** Fields with a report code link to this section, not to a list among the objects. */
const reportCodeObject = 'ReportCode'

function reportCodeSection(): Html {
  return html`<section class="tag" id="object-${reportCodeObject}">
    <h2>Report codes</h2>
    <p>
      The result of a step. With the outcome unknown the recipient may have the message: sending it again may
      deliver it twice. Act only on the report with <code>last</code> true.
    </p>
    <table class="codes">
      <thead>
        <tr>
          <th>Code</th>
          <th>Outcome</th>
          <th>Cause</th>
          <th>What to do</th>
        </tr>
      </thead>
      <tbody>
        ${reportCodes.map((code) => {
          const { text, cause, action } = explainReportCode(code, 'en')!
          return html`<tr>
            <td><code>${code}</code></td>
            <td>${toReportOutcome(code)}</td>
            <td><b>${text}.</b> ${cause}</td>
            <td>${action}</td>
          </tr>`
        })}
      </tbody>
    </table>
  </section>`
}

function objectSection(schemas: Readonly<Record<string, Schema>>): Html {
  return html`<section class="tag" id="objects">
    <h2>Objects</h2>
    ${Object.entries(schemas)
      .filter(([name]) => name !== reportCodeObject)
      .map(
        ([name, schema]) =>
          html`<section class="object" id="object-${name}">
            <h3><a href="#object-${name}">${name}</a></h3>
            ${schema.description === undefined ? '' : html`<p>${inline(schema.description)}.</p>`}
            ${fieldTable(schema, (other) => schemas[other]!)}
          </section>`,
      )}
  </section>`
}
