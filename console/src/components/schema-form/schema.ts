/** The subset of JSON Schema that describes connector options, and the choice of a control. */

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
  /** Suggested values; others are allowed. */
  readonly examples?: readonly unknown[]
  readonly contentMediaType?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly patternProperties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly items?: FieldSchema
  /** The value is masked in API responses. */
  readonly secret?: boolean
  /** The value determines where the link connects. */
  readonly address?: boolean
}

export type Fields = Readonly<Record<string, unknown>>

export type Control =
  | 'text'
  | 'lines'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'choices'
  | 'list'
  | 'group'
  | 'map'
  | 'json'

/** Placeholder of a stored secret. Sending it back to the API keeps the secret. */
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

/** Returns the value schema of an object with arbitrary names. */
export function getMemberSchema({ patternProperties = {} }: FieldSchema): FieldSchema | undefined {
  return Object.values(patternProperties)[0]
}

/** Reports whether the schema requires a field and gives no default. */
export function isRequired({ required = [], properties = {} }: FieldSchema, name: string): boolean {
  return required.includes(name) && properties[name]!.default === undefined
}

/** Reports whether a connection needs the field: required fields, secrets and addresses are shown first. */
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

/** Returns a copy with a field changed; `undefined` removes it. */
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
