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

export type FindSchema = (name: string) => Schema

/** Renders the fields of a schema as a table: name, type, limits, description. Named objects are linked. */
export function fieldTable(schema: Schema, find: FindSchema): Html {
  if (schema.enum !== undefined) return valueList(schema)
  if (schema.oneOf !== undefined) {
    return html`<ul class="alternatives">
      ${schema.oneOf.map((each) => html`<li>${formatType(each)} ${soleField(resolve(each, find))}</li>`)}
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
      ${fieldRows(schema, '', find)}
    </tbody>
  </table>`
}

/** Returns the field of an object that has only one: `{"sms": …}`. */
function soleField({ properties = {} }: Schema): Html {
  const [field, ...others] = Object.entries(properties)
  if (field === undefined || others.length > 0) return html``
  return html`<code>{"${field[0]}": …}</code> ${formatType(field[1])}`
}

function fieldRows(schema: Schema, prefix: string, find: FindSchema): Html[] {
  const { properties = {}, required = [], additionalProperties } = schema
  const rows = Object.entries(properties)
    // Required fields first, otherwise in the order of the schema.
    .sort(([left], [right]) => Number(required.includes(right)) - Number(required.includes(left)))
    .flatMap(([name, field]) => [
      row(prefix + name, resolve(field, find), required.includes(name)),
      ...nestedRows(field, prefix + name, find),
    ])
  if (typeof additionalProperties !== 'object') return rows
  return [...rows, row(`${prefix}‹any other›`, additionalProperties, false)]
}

/** Adds the fields of the named schema to a reference; fields of the reference take precedence. */
function resolve(field: Schema, find: FindSchema): Schema {
  return field.$ref === undefined ? field : { ...find(refName(field.$ref)), ...field }
}

/** The fields of `data` belong to the table of its response; other objects have their own tables. */
function nestedRows(field: Schema, path: string, find: FindSchema): Html[] {
  return path === 'data' ? fieldRows(resolve(field, find), 'data.', find) : []
}

function row(path: string, field: Schema, required: boolean): Html {
  const limits = formatLimitList(field)
  return html`<tr>
    <td><code class="name">${path}</code>${required ? html` <span class="required">required</span>` : ''}</td>
    <td class="type">${formatType(field)}</td>
    <td>
      ${field.description === undefined ? '' : inline(field.description)}
      ${limits === '' ? '' : html`<span class="limits">${limits}</span>`} ${valueList(field)}
    </td>
  </tr>`
}

export function formatType(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref)
    return html`<a href="#object-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((each, index) => [index === 0 ? '' : ' or ', formatType(each)])}`
  }
  if (schema.type === 'array') return html`array of ${formatType(schema.items ?? {})}`
  if (schema.type === 'object' && schema.properties === undefined) {
    const { additionalProperties: each } = schema
    return typeof each === 'object' ? html`object of ${formatType(each)}` : html`object`
  }
  return html`${schema.format === 'binary' ? 'file' : (schema.type ?? 'any')}`
}

function valueList({ enum: values, items }: Schema): Html {
  const allowedValues = values ?? items?.enum
  if (allowedValues === undefined) return html``
  return html`<span class="values">${allowedValues.map((value) => html`<code>${value}</code> `)}</span>`
}

export function formatLimitList(schema: Schema): string {
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
