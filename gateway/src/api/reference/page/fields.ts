/** The fields of a schema as a table: name, type, limits, description. Named objects are linked. */
import { refName } from '../ref.ts'
import { html, inline, type Html } from './html.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly default?: string | number | boolean
}

/** The named schema. */
export type FindSchema = (name: string) => Schema

export function fieldTable(schema: Schema, find: FindSchema): Html {
  const alternatives = (schema.oneOf ?? []).filter(({ properties }) => properties !== undefined)
  if (alternatives.length > 0) {
    return html`<ul class="alternatives">
      ${alternatives.map((each) =>
        Object.entries(each.properties ?? {}).map(
          ([name, inner]) => html`<li><code>{"${name}": …}</code> ${typeOf(inner)}</li>`,
        ),
      )}
    </ul>`
  }
  return html`<table class="fields">
    <thead>
      <tr>
        <th>Field</th>
        <th>Type</th>
        <th>Description</th>
      </tr>
    </thead>
    <tbody>
      ${rowsOf(schema, '', find)}
    </tbody>
  </table>`
}

function rowsOf(schema: Schema, prefix: string, find: FindSchema): Html[] {
  const { properties = {}, required = [], additionalProperties } = schema
  const rows = Object.entries(properties)
    // Required fields first, otherwise in the order of the schema.
    .sort(([left], [right]) => Number(required.includes(right)) - Number(required.includes(left)))
    .flatMap(([name, field]) => [
      row(prefix + name, withDescription(field, find), required.includes(name)),
      ...below(field, prefix + name, find),
    ])
  if (typeof additionalProperties !== 'object') return rows
  return [...rows, row(`${prefix}‹any other›`, additionalProperties, false)]
}

/** A field that is a named object has the description of that object. */
function withDescription(field: Schema, find: FindSchema): Schema {
  if (field.$ref === undefined) return field
  const { description } = find(refName(field.$ref))
  return description === undefined ? field : { ...field, description }
}

function below(field: Schema, path: string, find: FindSchema): Html[] {
  if (field.properties !== undefined) return rowsOf(field, `${path}.`, find)
  if (field.items?.properties !== undefined) return rowsOf(field.items, `${path}[].`, find)
  return []
}

function row(path: string, field: Schema, required: boolean): Html {
  const limits = limitsOf(field)
  return html`<tr>
    <td><code class="name">${path}</code>${required ? html` <span class="required">required</span>` : ''}</td>
    <td class="type">${typeOf(field)}</td>
    <td>
      ${field.description === undefined ? '' : inline(field.description)}
      ${limits === '' ? '' : html`<span class="limits">${limits}</span>`} ${valuesOf(field)}
    </td>
  </tr>`
}

export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref)
    return html`<a href="#object-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((each, index) => [index === 0 ? '' : ' or ', typeOf(each)])}`
  }
  if (schema.type === 'array') return html`array of ${typeOf(schema.items ?? {})}`
  if (schema.type === 'object' && schema.properties === undefined) {
    const { additionalProperties: each } = schema
    return typeof each === 'object' ? html`object of ${typeOf(each)}` : html`object`
  }
  return html`${schema.format === 'binary' ? 'file' : (schema.type ?? 'any')}`
}

function valuesOf({ enum: values, items }: Schema): Html {
  const given = values ?? items?.enum
  if (given === undefined) return html``
  return html`<span class="values">${given.map((value) => html`<code>${value}</code> `)}</span>`
}

export function limitsOf(schema: Schema): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, default: standard } = schema
  const parts = [
    maxLength === undefined ? '' : `${minLength ?? 0} to ${maxLength} characters`,
    maxLength === undefined && minLength === 1 ? 'not empty' : '',
    maxItems === undefined ? '' : `${minItems ?? 0} to ${maxItems} items`,
    maxItems === undefined && minItems !== undefined ? `at least ${minItems}` : '',
    minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`,
    pattern === undefined ? '' : `pattern ${pattern}`,
    standard === undefined ? '' : `default ${standard}`,
  ]
  return parts.filter((part) => part !== '').join('; ')
}
