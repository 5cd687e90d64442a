/**
 * A quick check of a candidate that was parsed from JSON: true means that it matches the schema, false that the validator has
 * to decide. The validator tests every field name with a regular expression and lists the names of every object: for the
 * three messages of an omni flow it takes three times as long. Called by `createShape` before the validator.
 */
import type { TSchema } from 'typebox'
import { Format } from 'typebox/format'

type Check = (value: unknown) => boolean

/** Keywords that say nothing about the value. */
const annotations = ['description', 'default', 'examples', 'title']

interface Node {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly minItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
}

/** What a node of each kind may say; with anything else it is left to the validator. */
const kinds: readonly { readonly keywords: readonly string[]; readonly create: (node: Node) => Check }[] = [
  { keywords: ['type:object', 'properties', 'required', 'additionalProperties'], create: objectCheck },
  { keywords: ['type:object', 'patternProperties'], create: recordCheck },
  { keywords: ['type:array', 'items', 'minItems'], create: arrayCheck },
  { keywords: ['type:string', 'minLength', 'maxLength', 'pattern', 'format'], create: stringCheck },
  { keywords: ['type:integer', 'minimum', 'maximum'], create: integerCheck },
  { keywords: ['enum'], create: enumCheck },
  { keywords: ['anyOf'], create: unionCheck },
]

export function createQuickCheck(schema: TSchema): Check {
  const node = schema as Node
  const keywords = Object.keys(schema)
    .filter((keyword) => !annotations.includes(keyword))
    .map((keyword) => (keyword === 'type' ? `type:${node.type}` : keyword))
  if (keywords.length === 0) return () => true
  const kind = kinds.find((one) => keywords.every((keyword) => one.keywords.includes(keyword)))
  return kind === undefined ? () => false : kind.create(node)
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Fields that the schema does not name are left to the validator. */
function objectCheck({ properties = {}, required = [] }: Node): Check {
  const checks = new Map(Object.entries(properties).map(([name, schema]) => [name, createQuickCheck(schema)]))
  const needed = new Set(required)
  return (value) => {
    if (!isFields(value)) return false
    let found = 0
    for (const name in value) {
      const check = checks.get(name)
      if (check === undefined || !check(value[name])) return false
      if (needed.has(name)) found++
    }
    return found === needed.size
  }
}

function recordCheck({ patternProperties = {} }: Node): Check {
  const [pattern, ...more] = Object.keys(patternProperties)
  if (pattern !== '^.*$' || more.length > 0) return () => false
  const check = createQuickCheck(patternProperties[pattern]!)
  return (value) => {
    if (!isFields(value)) return false
    for (const name in value) if (!check(value[name])) return false
    return true
  }
}

function arrayCheck({ items = {}, minItems = 0 }: Node): Check {
  const check = createQuickCheck(items)
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems) return false
    for (let index = 0; index < value.length; index++) if (!check(value[index])) return false
    return true
  }
}

/** The validator counts code points: a text has at most as many as units, and at least half as many. */
function stringCheck({ minLength = 0, maxLength = Infinity, pattern, format }: Node): Check {
  const minUnits = 2 * minLength - 1
  const regExp = pattern === undefined ? null : new RegExp(pattern, 'u')
  return (value) =>
    typeof value === 'string' &&
    value.length >= minUnits &&
    value.length <= maxLength &&
    (regExp === null || regExp.test(value)) &&
    (format === undefined || Format.Test(format, value))
}

function integerCheck({ minimum = -Infinity, maximum = Infinity }: Node): Check {
  return (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
}

function enumCheck({ enum: values = [] }: Node): Check {
  const allowed = new Set(values)
  return (value) => typeof value === 'string' && allowed.has(value)
}

function unionCheck({ anyOf = [] }: Node): Check {
  const checks = anyOf.map(createQuickCheck)
  return (value) => checks.some((check) => check(value))
}
