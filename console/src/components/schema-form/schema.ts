/** The part of JSON Schema that describes options of connectors, and which control a schema gets. */

export interface FieldSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** Values that are offered; others are allowed. */
  readonly examples?: readonly unknown[]
  readonly contentMediaType?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly patternProperties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly items?: FieldSchema
  /** The API masks the value when it shows it. */
  readonly secret?: boolean
  /** The value decides where the link connects. */
  readonly address?: boolean
}

export type Fields = Readonly<Record<string, unknown>>

export type Control =
  'text' | 'lines' | 'number' | 'boolean' | 'enum' | 'choices' | 'list' | 'group' | 'map' | 'json'

/** The API shows a stored secret as this, and keeps the secret when it gets this back. */
export const mask = '***'

export function chooseControl(schema: FieldSchema): Control {
  const { type, items } = schema
  if (hasTexts(schema.enum)) return 'enum'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') return schema.contentMediaType === undefined ? 'text' : 'lines'
  if (type === 'array' && items !== undefined) {
    if (hasTexts(items.enum)) return 'choices'
    return items.type === 'string' ? 'list' : 'json'
  }
  if (type === 'object' && schema.properties !== undefined) return 'group'
  const member = getMemberSchema(schema)
  if (type === 'object' && member !== undefined && isTextual(member)) return 'map'
  return 'json'
}

/** The schema of the values of an object with any names. */
export function getMemberSchema({ patternProperties = {} }: FieldSchema): FieldSchema | undefined {
  return Object.values(patternProperties)[0]
}

/** A field has to be filled in if the schema requires it and has no default. */
export function isRequired({ required = [], properties = {} }: FieldSchema, name: string): boolean {
  return required.includes(name) && properties[name]!.default === undefined
}

/** Without these fields a connection is not complete: they are shown first. */
export function isEssential(schema: FieldSchema, name: string): boolean {
  const field = schema.properties![name]!
  const member = getMemberSchema(field)
  return (
    isRequired(schema, name) ||
    field.secret === true ||
    member?.secret === true ||
    (field.address === true && chooseControl(field) !== 'group')
  )
}

/** Returns a copy in which a field has another value; `undefined` leaves it out. */
export function setField(fields: Fields, name: string, value: unknown): Fields {
  const entries = Object.entries({ ...fields, [name]: value })
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function hasTexts(values: readonly unknown[] | undefined): boolean {
  return values !== undefined && values.every((value) => typeof value === 'string')
}

function isTextual(schema: FieldSchema): boolean {
  return ['text', 'enum'].includes(chooseControl(schema))
}
