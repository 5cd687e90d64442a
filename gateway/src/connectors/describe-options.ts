/**
 * The options of a kind as rows of a table, from its schema: for docs/connectors and `postern route put --help <kind>`.
 * Pure.
 */
import type { TSchema } from 'typebox'
import { choicesOf, mayRefer } from './option-nodes.ts'

export interface OptionRow {
  /** With the names of the objects it is in: `tls.ca`. `*` is any name, `[]` an element of a list. */
  readonly name: string
  /** What a value must be. */
  readonly type: string
  /** As JSON; undefined when there is none. */
  readonly standard: string | undefined
  readonly required: boolean
  readonly secret: boolean
  /** It says where the link goes, or whom it trusts there. */
  readonly address: boolean
  /** It, or what is in it, may be a reference. */
  readonly reference: boolean
  readonly description: string
}

interface Node {
  readonly type?: string
  /** Short words for what a value must be, where the values are too many. */
  readonly title?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly secret?: boolean
  readonly address?: boolean
  readonly reference?: boolean
}

export function describeOptions(schema: TSchema): OptionRow[] {
  return fieldsOf(schema, '')
}

function fieldsOf(node: Node, at: string): OptionRow[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const path = `${at}${name}`
    const required = node.required?.includes(name) === true && field.default === undefined
    return [toRow(path, field, required), ...within(field, path)]
  })
}

/** The fields of what is in an object, a list or a choice. */
function within(node: Node, path: string): OptionRow[] {
  if (node.properties !== undefined) return fieldsOf(node, `${path}.`)
  if (node.items !== undefined) return within(node.items, `${path}[]`)
  const [inner] = Object.values(node.patternProperties ?? {})
  if (inner !== undefined) return within(inner, `${path}.*`)
  return (node.anyOf ?? []).flatMap((choice) => within(choice, path))
}

function toRow(name: string, node: Node, required: boolean): OptionRow {
  const isGroup = typeof node.default === 'object' && Object.keys(node.default as object).length === 0
  return {
    name,
    type: typeOf(node),
    standard: node.default === undefined || isGroup ? undefined : JSON.stringify(node.default),
    required,
    secret: node.secret === true,
    address: node.address === true,
    reference: [node, ...valuesIn(node)].flatMap(choicesOf).some(mayRefer),
    description: node.description ?? '',
  }
}

/** Of an object with any names, or of a list. */
function valuesIn({ patternProperties = {}, items }: Node): Node[] {
  return [...Object.values(patternProperties), ...(items === undefined ? [] : [items])]
}

function typeOf(node: Node): string {
  if (node.title !== undefined) return node.title
  if (node.enum !== undefined) return node.enum.map(quoted).join(' or ')
  if (node.const !== undefined) return quoted(node.const)
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(typeOf))].join(' or ')
  if (node.properties !== undefined) return 'object'
  const [inner] = Object.values(node.patternProperties ?? {})
  if (inner !== undefined) return `object of ${typeOf(inner)}`
  if (node.items !== undefined) return `list of ${typeOf(node.items)}`
  if (node.type === 'integer' || node.type === 'number') {
    const limits = node.maximum === undefined ? '' : ` ${node.minimum ?? ''}–${node.maximum}`
    return `${node.type === 'integer' ? 'whole number' : 'number'}${limits}`
  }
  if (node.type === 'string')
    return node.maxLength === undefined ? 'text' : `text of at most ${node.maxLength} characters`
  return node.type ?? 'any value'
}

function quoted(value: unknown): string {
  return JSON.stringify(value)
}
