/**
 * Every setting of the gateway, described once. This file alone reads the environment; it is parsed once at
 * start, and a wrong or missing setting refuses to start with the name of the variable and what it wants.
 * `docs/configuration.md` and `.env.example` are generated from here.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'

const text = (description: string, options: object = {}) =>
  Type.String({ minLength: 1, description, ...options })
const whole = (description: string, options: object) => Type.Integer({ description, ...options })
const list = (description: string, pattern: string, options: object = {}) =>
  Type.Array(Type.String({ minLength: 1, pattern }), { minItems: 1, description, ...options })

export const ConfigSchema = Type.Object({
  databaseUrl: text('PostgreSQL, the record: `postgres://user@host:5432/postern`.', {
    pattern: '^postgres(ql)?://',
  }),
  brokerUrls: list(
    'RabbitMQ nodes of this cell, comma separated: `amqp://user:pass@host:5672`.',
    '^amqps?://',
  ),
  redisUrl: Type.Optional(
    text(
      'Redis or Valkey for shared rate limits and Idempotency-Key. Without it every process limits for itself, and a send with an Idempotency-Key is refused.',
    ),
  ),
  tokenSecret: text(
    'Key that signs access tokens; the same for every process of a cell. At least 32 characters.',
    {
      minLength: 32,
    },
  ),
  queuePrefix: text('Prefix of every queue name, so that several gateways can share one broker.', {
    default: 'postern.',
  }),
  httpHost: text('Address the API listens on.', { default: '127.0.0.1' }),
  httpPort: whole('Port the API listens on.', { default: 8080, minimum: 0, maximum: 65535 }),
  opsHost: text('Address of `/livez`, `/readyz` and `/metrics`. Keep it inside.', { default: '127.0.0.1' }),
  opsPort: whole('Port of `/livez`, `/readyz` and `/metrics`.', {
    default: 9090,
    minimum: 0,
    maximum: 65535,
  }),
  credentialPrefixes: list(
    'Vendor prefixes accepted in `X-<prefix>-Client-Id` and `X-<prefix>-Client-Passwd`.',
    '^[A-Za-z0-9-]+$',
    {
      default: ['SVC'],
    },
  ),
  cell: text('Two characters that name this cell; part of every msgKey.', {
    default: '00',
    pattern: '^[0-9A-Z]{2}$',
  }),
  timeZone: text('Zone whose offset the times in answers carry.', { default: 'Asia/Seoul' }),
  stepTtlSeconds: whole('How long a step waits for its outcome before it counts as expired.', {
    default: 86_400,
    minimum: 1,
    maximum: 604_800,
  }),
  retentionDays: whole('Days that messages, attempts and reports are kept.', {
    default: 30,
    minimum: 1,
    maximum: 366,
  }),
  fileFolder: text('Folder for uploaded files. Several machines must share it, or use S3.', {
    default: './files',
  }),
  publicFileBase: text('Address under which carriers and handsets fetch uploaded images by key.', {
    default: 'http://127.0.0.1:8080/v1/file/content',
  }),
  fileS3Bucket: Type.Optional(text('Bucket for uploaded files; when set, S3 is used instead of the folder.')),
  fileS3Endpoint: Type.Optional(text("S3-compatible server; Amazon's own when not set.")),
  fileS3Region: text('Region of the bucket.', { default: 'us-east-1' }),
  fileS3AccessKeyId: Type.Optional(text('Access key; without it the usual AWS credential chain.')),
  fileS3SecretAccessKey: Type.Optional(text('Secret of the access key.')),
  publishTimeoutMs: whole('How long a send waits for the broker before it is answered with 503.', {
    default: 5_000,
    minimum: 100,
    maximum: 60_000,
  }),
  sendLimit: whole('Destinations an account may send to in a second, unless it has its own; 0 is no limit.', {
    default: 1_000,
    minimum: 0,
    maximum: 9_999_999,
  }),
  reportLimit: whole('Polls, acknowledgements and inquiries of an account a second; 0 is no limit.', {
    default: 50,
    minimum: 0,
    maximum: 9_999_999,
  }),
  fileLimit: whole('Uploads of an account a second; 0 is no limit.', {
    default: 20,
    minimum: 0,
    maximum: 9_999_999,
  }),
  formLimit: whole('Requests about forms of an account a second; 0 is no limit.', {
    default: 20,
    minimum: 0,
    maximum: 9_999_999,
  }),
  limitWaitMs: whole('How long a request waits for Redis before its process limits for itself.', {
    default: 50,
    minimum: 1,
    maximum: 5_000,
  }),
  proxyHops: whole(
    "Proxies of yours before the API. Token requests are limited by the client's address: that many from the end of X-Forwarded-For, or with 0 the connection's own.",
    {
      default: 0,
      minimum: 0,
      maximum: 10,
    },
  ),
  tokenRequestsPerMinute: whole('Token requests for one client id from one address a minute.', {
    default: 600,
    minimum: 1,
  }),
  tokenFailuresPerMinute: whole('Wrong passwords for one client id from one address a minute.', {
    default: 10,
    minimum: 1,
  }),
  webhookAllowedNetworks: Type.Optional(
    list(
      'Networks that webhooks may lead to although they are not public, comma separated: `10.1.0.0/16`.',
      '^[0-9a-fA-F:.]+/\\d{1,3}$',
    ),
  ),
  webhookPorts: Type.Optional(list('The only ports that webhooks may use; any when not set.', '^\\d{1,5}$')),
  // In all 51.7 hours, 62 with the most jitter: well within the three days of a report.
  webhookRetrySeconds: list(
    'Waits before a failed push to a webhook is tried again, comma separated, with up to a fifth more as jitter.',
    '^\\d{1,6}$',
    {
      default: [...['5', '30', '120', '600', '1800', '3600', '7200', '14400', '28800', '43200', '86400']],
    },
  ),
  webhookDisableSeconds: whole('A webhook that does nothing but fail for so long is disabled.', {
    default: 86_400,
    minimum: 60,
    maximum: 259_200,
  }),
  drainDelaySeconds: whole(
    'How long an API that got SIGTERM still serves while /readyz answers 503, so that load balancers leave it first.',
    { default: 5, minimum: 0, maximum: 300 },
  ),
  drainSeconds: whole('How long a stopping process finishes what it has in hand.', {
    default: 20,
    minimum: 1,
  }),
  logLevel: text('fatal, error, warn, info, debug or trace.', {
    default: 'info',
    pattern: '^(fatal|error|warn|info|debug|trace)$',
  }),
})

export type Config = Static<typeof ConfigSchema>

/** `databaseUrl` → `POSTERN_DATABASE_URL`. */
export function environmentName(key: string): string {
  return `POSTERN_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

export function loadConfig(environment: Record<string, string | undefined> = process.env): Config {
  const raw: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries<TSchema>(ConfigSchema.properties)) {
    const value = environment[environmentName(key)]
    if (value === undefined || value === '') continue
    raw[key] = read(schema, value)
  }
  const candidate = Value.Default(ConfigSchema, raw)
  if (Value.Check(ConfigSchema, candidate)) {
    if (!isTimeZone(candidate.timeZone))
      throw new ConfigError(`${environmentName('timeZone')} is no time zone that is known here`)
    return candidate
  }
  const [first] = Value.Errors(ConfigSchema, candidate)
  throw new ConfigError(explain(first))
}

/**
 * A setting stored elsewhere may say `env:NAME` instead of a secret; this is the only place that looks it up.
 */
export function resolveSecret(
  value: string,
  environment: Record<string, string | undefined> = process.env,
): string {
  const name = /^env:([A-Z][A-Z0-9_]*)$/.exec(value)?.[1]
  if (name === undefined) return value
  const secret = environment[name]
  if (secret === undefined)
    throw new ConfigError(`${name} is missing; a route's options refer to it as env:${name}`)
  return secret
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Strictly: `80.5` or `true` is no port, whatever a lenient conversion would make of it. */
function read(schema: TSchema, value: string): unknown {
  if ('items' in schema) return value.split(',').map((item) => item.trim())
  if ((schema as { type?: string }).type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  return value
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function explain(error: { instancePath: string; message: string; params: object } | undefined): string {
  const missing = (error?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0]
  const key = missing ?? error?.instancePath.split('/')[1] ?? ''
  const schema = (ConfigSchema.properties as Record<string, TSchema & { description?: string }>)[key]
  const fault = missing === undefined ? (error?.message ?? 'is not valid') : 'is missing'
  return `${environmentName(key)} ${fault}. It sets: ${schema?.description ?? key}`
}
