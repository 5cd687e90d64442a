/** Contents of the route form, and the schema of its settings. Each connector describes its own options. */
import type { Data, Input } from '../../../api/call.ts'
import { asTexts, setField, type Fields, type FieldSchema } from '../../../components/schema-form/schema.ts'
import type { RouteDetails } from '../figures.ts'

export type Connector = Data<'listConnectors'>['connectors'][number]
export type RouteBody = Input<'putRoute'>['body']

/** Contents of the form. Omitted settings have their defaults. */
export interface RouteDraft {
  readonly id: string
  readonly protocol: string
  readonly settings: Fields
  readonly options: Fields
}

const defaults = {
  channels: [],
  enabled: true,
  priority: 100,
  partsPerSecond: 0,
  owners: 1,
  accounts: [],
  prefixes: [],
  carriers: [],
  weight: 1,
  minDeliveryRate: null,
  failoverAfterSeconds: 3,
  unknownPolicy: 'fail',
} as const satisfies Omit<RouteBody, 'protocol' | 'options' | 'reason'>

/** Codes of SKT, KT, LG U+, other, internet numbers and safety numbers. */
const carriers = ['10001', '10002', '10003', '10000', '10006', '10010']
const texts: FieldSchema = { type: 'array', items: { type: 'string' } }
const integer = (minimum: number, maximum: number, standard: number): FieldSchema => ({
  type: 'integer',
  minimum,
  maximum,
  default: standard,
})

export function createSettingsSchema({ channels, severalOwners }: Connector): FieldSchema {
  return {
    type: 'object',
    required: ['channels'],
    properties: {
      channels: { type: 'array', items: { enum: channels } },
      enabled: { type: 'boolean', default: true },
      priority: integer(0, 1_000_000, defaults.priority),
      partsPerSecond: integer(0, 1_000_000, defaults.partsPerSecond),
      ...(severalOwners ? { owners: integer(1, 16, defaults.owners) } : {}),
      weight: integer(1, 1_000, defaults.weight),
      failoverAfterSeconds: integer(0, 86_400, defaults.failoverAfterSeconds),
      minDeliveryRate: { type: 'number', minimum: 0, maximum: 1 },
      unknownPolicy: { enum: ['fail', 'resend'], default: defaults.unknownPolicy },
      accounts: texts,
      prefixes: texts,
      carriers: { type: 'array', items: { enum: carriers } },
    },
  }
}

/**
 * Starts a route for a connector. Keeps the settings of `before`, except the owners and unsupported channels; if no channel is
 * left, selects the first one of the connector.
 */
export function startDraft(id: string, { protocol, channels }: Connector, before?: RouteDraft): RouteDraft {
  const settings = setField(before?.settings ?? {}, 'owners', undefined)
  const supported = channels.filter((one) => asTexts(settings.channels).includes(one))
  return {
    id,
    protocol,
    settings: { ...settings, channels: supported.length > 0 ? supported : channels.slice(0, 1) },
    options: {},
  }
}

/** Converts a stored route; omits settings with default values, as in a new route. */
export function toDraft(route: RouteDetails): RouteDraft {
  const settings = Object.fromEntries(
    Object.entries(defaults).flatMap(([name, standard]) => {
      const value = route[name as keyof typeof defaults]
      return JSON.stringify(value) === JSON.stringify(standard) ? [] : [[name, value]]
    }),
  )
  return { id: route.id, protocol: route.protocol, settings, options: route.options }
}

export function toBody({ protocol, settings, options }: RouteDraft): RouteBody {
  return { ...defaults, ...settings, protocol, options }
}

/** Returns the paths of changed settings and options. */
export function listChanges(before: RouteDraft, after: RouteDraft): readonly string[] {
  const [oldValues, newValues] = [toBody(before), toBody(after)].map(
    (body) => new Map(flatten({ ...body }, '')),
  )
  return [...new Set([...oldValues!.keys(), ...newValues!.keys()])].filter(
    (path) => oldValues!.get(path) !== newValues!.get(path),
  )
}

function flatten(fields: Fields, at: string): [path: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isGroup && Object.keys(value).length > 0
      ? flatten(value as Fields, `${at}${name}.`)
      : [[at + name, JSON.stringify(value)]]
  })
}
