import type { ResultCodeEntry } from '../../../../contract/result-codes.ts'
import { codesByStatus } from '../codes.ts'
import type { Example, Operation, OperationParameter } from '../operation.ts'
import { dryRun } from '../parameters.ts'
import { ref, refName } from '../ref.ts'
import { toCurl } from './curl.ts'
import { fieldTable, formatLimitList, formatType, type FindSchema, type Schema } from './fields.ts'
import { html, inline, prose, type Html } from './html.ts'

export function operationSection(operation: Operation, find: FindSchema): Html {
  const { id, method, path, summary, description, parameters = [], beyondContract } = operation
  return html`<section class="operation" id="${id}">
    <div class="text">
      <h3><a href="#${id}">${summary}</a></h3>
      <p class="address">
        <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
      </p>
      ${prose(description)} ${beyondContract === undefined ? '' : extensionNote(beyondContract)}
      ${parameters.length === 0 ? '' : parameterTable(parameters)} ${bodySection(operation, find)}
      ${responseSection(operation, find)} ${codeTable(operation)}
    </div>
    <div class="examples">${operation.examples.map((example) => exampleFigure(operation, example))}</div>
  </section>`
}

function extensionNote(text: string): Html {
  return html`<p class="extension-note"><span class="extension">extension</span> ${text}</p>`
}

function parameterTable(parameters: readonly OperationParameter[]): Html {
  return html`<h4>Parameters</h4>
    <table class="fields">
      <thead>
        <tr>
          <th>Parameter</th>
          <th>In</th>
          <th>Description</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(parameterRow)}
      </tbody>
    </table>`
}

function parameterRow(parameter: OperationParameter): Html {
  const schema = parameter.schema as Schema
  return html`<tr>
    <td>
      <code class="name">${parameter.name}</code>
      ${parameter.required ? html`<span class="required">required</span>` : ''}
      ${parameter.beyondContract === undefined ? '' : html`<span class="extension">extension</span>`}
    </td>
    <td class="type">${parameter.in}</td>
    <td>
      ${inline(parameter.description)} <span class="limits">${formatLimitList(schema)}</span>
      ${(schema.enum ?? []).map((value) => html`<code>${value}</code> `)}
    </td>
  </tr>`
}

function bodySection({ body }: Operation, find: FindSchema): Html {
  if (body === undefined) return html``
  const name = refName((body.schema as { $ref: string }).$ref)
  return html`<h4>Body <span class="note">${body.contentType}: ${body.description}</span></h4>
    ${fieldTable(find(name), find)}`
}

function responseSection({ response, parameters = [] }: Operation, find: FindSchema): Html {
  if ('files' in response) {
    return html`<h4>Response <span class="note">200</span></h4>
      <p>${response.description}: ${response.files.join(', ')}.</p>`
  }
  const name = refName((response.schema as { $ref: string }).$ref)
  return html`<h4>Response <span class="note">200, ${formatType(response.schema)}</span></h4>
    <p>${response.description}.</p>
    <details>
      <summary>Fields of the response</summary>
      ${fieldTable(find(name), find)}
    </details>
    ${parameters.includes(dryRun) ? html`<p>With dryRun=true: ${formatType(ref('DryRunResponse'))}.</p>` : ''}`
}

function codeTable(operation: Operation): Html {
  const byStatus = codesByStatus(operation)
  const count = new Set([...byStatus.values()].flat().map(({ code }) => code)).size
  return html`<h4>Errors</h4>
    <details>
      <summary>${count} result codes, and what to do about each</summary>
      <table class="codes">
        <thead>
          <tr>
            <th>Code</th>
            <th>HTTP</th>
            <th>Cause</th>
            <th>What to do</th>
          </tr>
        </thead>
        <tbody>
          ${[...byStatus].map(([status, entries]) => entries.map((entry) => codeRow(status, entry)))}
        </tbody>
      </table>
    </details>`
}

function codeRow(status: number, { code, result, cause, action }: ResultCodeEntry): Html {
  return html`<tr>
    <td><code>${code}</code></td>
    <td>${status}</td>
    <td><b>${result}.</b> ${cause}</td>
    <td>${action}</td>
  </tr>`
}

function exampleFigure(operation: Operation, example: Example): Html {
  return html`<figure class="${example.status === 200 ? 'success' : 'error'}">
    <figcaption>${example.summary}</figcaption>
    <pre><code>${toCurl(operation, example)}</code></pre>
    <pre class="reply"><code><span class="status">${example.status}</span>
${JSON.stringify(example.response, null, 2)}</code></pre>
  </figure>`
}
