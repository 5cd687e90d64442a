/**
 * Every setting of the gateway: its type, limits, default and description. `.env.example` and the table of
 * settings on the documentation site are generated from it.
 */
import { Type } from 'typebox'

interface Options {
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** Continues "must be" in error messages. Derived from the limits by default. */
  readonly expects?: string
  /** A valid value, for a setting without a default. */
  readonly example?: string
}

const text = (description: string, options: Options = {}) =>
  Type.String({ minLength: 1, description, ...options })
const choice = (description: string, standard: string, values: readonly string[]) =>
  text(description, {
    default: standard,
    pattern: `^(${values.join('|')})$`,
    expects: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  })
const whole = (description: string, options: Options) => Type.Integer({ description, ...options })
const list = (description: string, { pattern = '', ...options }: Options) =>
  Type.Array(Type.String({ minLength: 1, pattern }), { minItems: 1, description, ...options })
const optionalText = (description: string, options: Options) => Type.Optional(text(description, options))
const optionalList = (description: string, options: Options) => Type.Optional(list(description, options))
const optionalWhole = (description: string, options: Options) => Type.Optional(whole(description, options))
const limit = (description: string, standard: number) =>
  whole(`${description} 0 means no limit.`, { default: standard, minimum: 0, maximum: 9_999_999 })

const reference: Options = {
  pattern: '^(env:[A-Z][A-Z0-9_]*|file:/.+)$',
  expects: 'a reference, env:NAME or file:/path',
}
const networks: Options = {
  pattern: '^[0-9a-fA-F:.]+/\\d{1,3}$',
  expects: 'a comma-separated list of networks in CIDR notation',
}

export const ConfigSchema = Type.Object({
  databaseUrl: text(
    'URL of the PostgreSQL database, for example `postgres://user@host:5432/postern`. `?sslmode=verify-full` enables TLS, `&sslrootcert=/path` verifies the server against your own certificate authority, and `&sslcert=/path&sslkey=/path` presents a client certificate ([TLS](../operations/tls.md)).',
    {
      pattern: '^postgres(ql)?://',
      expects: 'a URL that starts with postgres://',
      example: 'postgres://postern_api@127.0.0.1:5432/postern',
    },
  ),
  privilegedDatabaseUser: choice(
    'Action when a process connects to PostgreSQL with too many rights: `refuse` to start, or `warn` in the log. Superusers and the table owner can change everything, including the audit log. An API, SMPP server or worker must not connect as a user for commands or the admin API either. Give each process a user of its [database role](../operations/operators.md#database-roles).',
    'refuse',
    ['refuse', 'warn'],
  ),
  brokerUrls: list(
    'URLs of the RabbitMQ nodes of this cell, separated by commas, for example `amqp://user:password@host:5672`. For TLS use `amqps://` for all nodes ([TLS](../operations/tls.md)). List every node of a cluster, so that a process can connect to another one when a node fails.',
    {
      pattern: '^amqps?://',
      expects: 'a comma-separated list of URLs that start with amqp:// or amqps://',
      example: 'amqp://guest:guest@127.0.0.1:5672',
    },
  ),
  brokerCaFile: optionalText(
    'PEM file of the certificate authorities that verify the certificates of the RabbitMQ nodes. By default those of Node.js are used.',
    { example: '/etc/postern/broker-ca.pem' },
  ),
  brokerCertFile: optionalText(
    'PEM file of the client certificate for RabbitMQ nodes that request one, followed by its intermediate certificates. Requires `POSTERN_BROKER_KEY_FILE` and `amqps://`.',
    { example: '/etc/postern/broker-client.pem' },
  ),
  brokerKeyFile: optionalText(
    'PEM file of the private key of `POSTERN_BROKER_CERT_FILE`, without a passphrase.',
    { example: '/etc/postern/broker-client-key.pem' },
  ),
  redisUrl: optionalText(
    'URL of Redis or Valkey: `redis://`, or `rediss://` for TLS. It stores rate limits and velocity counts that all processes share, `Idempotency-Key` values, and marks of messages that crash workers. Without it each process enforces the limits locally, and a send with an `Idempotency-Key` is refused. Set it if you run more than one API process.',
    { example: 'redis://127.0.0.1:6379' },
  ),
  redisCaFile: optionalText(
    'PEM file of the certificate authorities that verify the certificate of Redis. By default those of Node.js are used.',
    { example: '/etc/postern/redis-ca.pem' },
  ),
  redisCertFile: optionalText(
    'PEM file of the client certificate for a Redis that requests one, followed by its intermediate certificates. Requires `POSTERN_REDIS_KEY_FILE` and `rediss://`.',
    { example: '/etc/postern/redis-client.pem' },
  ),
  redisKeyFile: optionalText(
    'PEM file of the private key of `POSTERN_REDIS_CERT_FILE`, without a passphrase.',
    { example: '/etc/postern/redis-client-key.pem' },
  ),
  tokenSecret: text(
    'Key that signs access tokens, at least 32 characters. It must be the same for all processes of a cell and different in every cell; a worker needs none. Changing it invalidates every issued token; `postern token-key rotate` replaces the signing key without that effect.',
    { minLength: 32, expects: 'a text of at least 32 characters', example: '$(openssl rand -hex 32)' },
  ),
  masterKey: optionalText(
    'Reference to the master key that encrypts secrets in the database (webhook secrets and URLs, route options, proofs of senders): `env:NAME` or `file:/path` of 32 random bytes, as 64 hexadecimal digits or in base64. It must be the same for all processes of a cell. Without it secrets are stored in plaintext. Keep a copy outside the database and its backups: without the key the secrets cannot be recovered ([secrets](../operations/secrets.md)).',
    { ...reference, example: 'file:/run/secrets/postern-master-key' },
  ),
  previousMasterKey: optionalText(
    'Reference to the previous master key while `postern secrets rekey` replaces it. Remove it after the command has finished.',
    { ...reference, example: 'file:/run/secrets/postern-master-key-2026' },
  ),
  encryptMessages: choice(
    'Encrypts recipients and texts of new messages in PostgreSQL, RabbitMQ and Redis: `yes` or `no`. Requires a master key. Set it only when every process runs a version that supports it. Messages stored earlier stay unencrypted until their retention ends ([privacy](../operations/privacy.md)).',
    'no',
    ['yes', 'no'],
  ),
  operatorKey: optionalText(
    'Key of the operator who runs a command, or a reference to it: `file:/path` or `env:NAME`. Every command requires it once operators exist, as do commands that use the admin API at `POSTERN_ADMIN_URL`. Processes do not use it ([operators](../operations/operators.md), [commands](../operations/command-line.md)).',
    { example: 'file:/home/kim/.postern-key' },
  ),
  routeVariables: list(
    'Environment variables that route options may reference as `env:NAME`, separated by commas; a `*` at the end matches any suffix ([secrets](../operations/secrets.md#what-routes-may-refer-to)). Set the same for all processes.',
    {
      default: ['POSTERN_ROUTE_SECRET_*'],
      pattern: '^[A-Z][A-Z0-9_]*\\*?$',
      expects: 'a comma-separated list of variable names, which may end with *',
      example: 'CARRIER_*,SKT_PASSWORD',
    },
  ),
  routeFiles: list(
    'Directories with files that route options may reference as `file:/path`, separated by commas ([secrets](../operations/secrets.md#what-routes-may-refer-to)). Set the same for all processes.',
    {
      default: ['/etc/postern/routes'],
      pattern: '^/.+$',
      expects: 'a comma-separated list of directories that begin with /',
      example: '/etc/postern/routes,/run/secrets/carriers',
    },
  ),
  providerModules: optionalList(
    'Files with [your own providers](../contributing/add-a-provider.md), separated by commas. They run as code of the gateway. Set the same value for all processes, and for commands that use the database.',
    {
      pattern: '^/.+\\.[jt]s$',
      expects: 'a comma-separated list of .js or .ts files that begin with /',
      example: '/etc/postern/providers/aligo.ts',
    },
  ),
  routeNetworks: optionalList(
    'Loopback, link-local or metadata networks that routes may connect to, in CIDR notation, separated by commas, for example `127.0.0.1/32` for a TLS proxy on the same machine. Public and private networks are always allowed. Set it for workers.',
    { ...networks, example: '127.0.0.1/32' },
  ),
  trafficDays: whole(
    'Days for which the traffic record of a closed message is kept: account, time, channel, outcome, and the recipient as an HMAC, without content. 0 writes no records. Korean law requires 12 months ([privacy](../operations/privacy.md)).',
    { default: 0, minimum: 0, maximum: 3660 },
  ),
  queuePrefix: text(
    'Prefix of the names of all queues and Redis keys. Change it if several gateways share a RabbitMQ or a Redis.',
    { default: 'postern.' },
  ),
  httpHost: text(
    'Address that the API listens on. Set it to `0.0.0.0` or `::` to accept connections from other machines.',
    { default: '127.0.0.1' },
  ),
  httpPort: whole('Port that the API listens on.', { default: 8080, minimum: 0, maximum: 65535 }),
  httpCertFile: optionalText(
    'PEM file of the certificate of the API, with its intermediate certificates. If set, the API serves HTTPS with TLS 1.2 and 1.3. The file is read again within ten seconds after a change.',
    { example: '/etc/postern/api-cert.pem' },
  ),
  httpKeyFile: optionalText('PEM file of the private key of the API; required with a certificate.', {
    example: '/etc/postern/api-key.pem',
  }),
  httpPlaintext: choice(
    'Action when the API listens on a non-loopback address without a certificate, so that tokens and message texts can be read on the network. `refuse`: do not start. `proxy`: start; your own reverse proxy serves HTTPS, and `POSTERN_PROXY_HOPS` must be at least 1. `warn`: start with a warning in the log.',
    'warn',
    ['refuse', 'proxy', 'warn'],
  ),
  httpConnections: whole(
    'Maximum number of open connections of an API process, and separately of the admin API; further ones are closed immediately. A TLS connection takes up to 100 KB of memory.',
    { default: 5_000, minimum: 1, maximum: 100_000 },
  ),
  adminHost: text(
    'Address that the admin API listens on. A non-loopback address requires `POSTERN_HTTP_CERT_FILE`, or `POSTERN_HTTP_PLAINTEXT=proxy` with `POSTERN_ADMIN_PROXY_HOPS` of at least 1 if your own reverse proxy serves HTTPS.',
    { default: '127.0.0.1' },
  ),
  adminPort: optionalWhole(
    'Port that the admin API listens on, in `postern admin` and `postern all`. If it is not set, the admin API is disabled ([admin API](../operations/admin-api.md)).',
    { minimum: 0, maximum: 65535, example: '8090' },
  ),
  smppServerHost: text(
    'Address that the SMPP server listens on. Set it to `0.0.0.0` or `::` to accept connections from other machines.',
    { default: '127.0.0.1' },
  ),
  smppServerPort: optionalWhole(
    'Port that the SMPP server for clients listens on, in `postern smpp-server` and `postern all`. If it is not set, the SMPP server is disabled ([SMPP server](../guides/send-over-smpp.md)).',
    { minimum: 0, maximum: 65535, example: '2775' },
  ),
  smppServerTls: choice(
    'TLS of the SMPP server. `certificate`: TLS with the certificate of the API, if one is set. `off`: plaintext, for a private network or behind your own proxy that terminates TLS.',
    'certificate',
    ['certificate', 'off'],
  ),
  smppServerProxyProtocol: choice(
    '`yes`: every connection to the SMPP server must begin with a PROXY protocol header, version 1 or 2, and is closed otherwise. Set it behind a TCP proxy that sends the header, and let only the proxy reach the port: the sender of the header determines the client address ([SMPP server](../operations/smpp-server.md#behind-a-tcp-proxy)).',
    'no',
    ['yes', 'no'],
  ),
  smppServerConnections: whole(
    'Maximum number of open connections of one SMPP server, bound or not; further ones are closed immediately.',
    { default: 1000, minimum: 1, maximum: 100_000 },
  ),
  smppServerWindow: whole(
    'Maximum number of unanswered `submit_sm` requests per bind. At the limit the server stops reading from the bind.',
    { default: 100, minimum: 1, maximum: 10_000 },
  ),
  smppServerDeliverWindow: whole(
    'Maximum number of unanswered `deliver_sm` requests (receipts and replies) per bind.',
    { default: 10, minimum: 1, maximum: 1_000 },
  ),
  smppServerEnquireSeconds: whole(
    'Seconds without traffic after which the SMPP server sends `enquire_link` to a bind. A bind that does not respond within the same time is closed.',
    { default: 30, minimum: 1, maximum: 3_600 },
  ),
  adminUrl: optionalText(
    'URL under which browsers reach the admin API and the console, without a path. It must be `https://`, or on loopback. With `https://` the session cookie is sent over HTTPS only. Writes from a browser must come from this origin. Required for `POSTERN_ADMIN_OIDC_ISSUER` ([sign-in](../operations/operators.md#sign-in)).',
    {
      pattern: '^https?://[^/?#\\s@]+$',
      expects: 'a URL that starts with https:// or http://, without a path',
      example: 'https://console.example.com',
    },
  ),
  adminProxyHops: whole(
    'Number of your own reverse proxies in front of the admin API; it works like `POSTERN_PROXY_HOPS`. Failed sign-ins are limited per client address, and the audit log contains it. If the number is too high, callers can forge their address.',
    { default: 0, minimum: 0, maximum: 10 },
  ),
  adminAudience: choice(
    'Users that the admin API and the console serve. `clients`: only client users, for a process that clients reach over the internet; operators of the installation are refused there, regardless of how they sign in. `everybody`: all users ([self-service](../operations/self-service.md)).',
    'everybody',
    ['everybody', 'clients'],
  ),
  sandboxPhones: choice(
    '`yes`: the admin API and the console show messages of [sandbox](connectors/sandbox.md) routes on virtual phones, where testers reply to messages and choose how the carrier behaves ([console](../operations/console.md#sandbox)). Set it for the admin process of a test or evaluation installation; leave it at `no` in production.',
    'no',
    ['yes', 'no'],
  ),
  adminSessionIdleMinutes: whole('Minutes without a request after which an operator session expires.', {
    default: 30,
    minimum: 5,
    maximum: 1_440,
  }),
  adminSessionHours: whole('Hours after which an operator session expires, even if it is in use.', {
    default: 12,
    minimum: 1,
    maximum: 720,
  }),
  adminOidcIssuer: optionalText(
    'Issuer of an OpenID Connect provider that operators can sign in with, in addition to their passwords. It must be `https://`, or on loopback. Requires `POSTERN_ADMIN_URL`, `POSTERN_ADMIN_OIDC_CLIENT_ID` and `POSTERN_ADMIN_OIDC_ROLES` ([sign-in](../operations/operators.md#sign-in)).',
    {
      pattern: '^https?://\\S+$',
      expects: 'a URL that starts with https://',
      example: 'https://login.example.com/realms/staff',
    },
  ),
  adminOidcClientId: optionalText('Client id of this gateway at the provider.', {
    example: 'postern-console',
  }),
  adminOidcClientSecret: optionalText(
    'Secret of this gateway at the provider, by reference: `env:NAME` or `file:/path`. Without it the gateway is a public client.',
    { ...reference, example: 'file:/etc/postern/oidc-secret' },
  ),
  adminOidcScope: text('Scopes that are requested from the provider, separated by spaces.', {
    default: 'openid profile email',
    pattern: '^openid( [!#-\\[\\]-~]+)*$',
    expects: 'openid, and other scopes after it',
  }),
  adminOidcNameClaim: text(
    'Claim of the provider that becomes the name of a new operator, in lower case: 1 to 64 letters, digits and `. _ @ -`.',
    { default: 'preferred_username' },
  ),
  adminOidcRoleClaim: text(
    'Claim of the provider that contains the groups or roles of a person: a string or an array of strings.',
    { default: 'groups' },
  ),
  adminOidcRoles: optionalList(
    'Roles for values of `POSTERN_ADMIN_OIDC_ROLE_CLAIM`, separated by commas. If several values match, the highest role applies; if none matches, the sign-in is refused.',
    {
      pattern: '^.+=(viewer|support|operator|admin)$',
      expects: 'a comma-separated list of value=role, with the roles viewer, support, operator and admin',
      example: 'gateway-admins=admin,on-call=operator',
    },
  ),
  opsHost: text(
    'Address that `/livez`, `/readyz` and `/metrics` listen on. They require no token: do not expose them to the internet.',
    { default: '127.0.0.1' },
  ),
  opsPort: whole('Port that `/livez`, `/readyz` and `/metrics` listen on.', {
    default: 9090,
    minimum: 0,
    maximum: 65535,
  }),
  credentialPrefixes: list(
    'Vendor prefixes accepted in the headers `X-<prefix>-Client-Id` and `X-<prefix>-Client-Passwd`, separated by commas. The API reference uses the first. `IB` is the prefix of the published SDKs.',
    {
      pattern: '^[A-Za-z0-9-]+$',
      default: ['SVC', 'IB'],
      expects: 'a comma-separated list of prefixes made of letters, digits and hyphens',
    },
  ),
  senderKinds: optionalList(
    'Kinds of sender numbers that are accepted in addition to ordinary ones, separated by commas. `special`: numbers of 3 or 4 digits such as 112, which only their owner may use. `old-mobile`: 011 and 016 to 019. `forwarding`: 050. Set it only if your carriers accept such numbers from you.',
    {
      pattern: '^(special|old-mobile|forwarding)$',
      expects: 'a comma-separated list of special, old-mobile and forwarding',
      example: 'special',
    },
  ),
  optOutWords: optionalList(
    'Words with which a recipient opts out of advertisements, separated by commas. They replace those in [advertisements](../guides/advertising.md#recipients-who-want-none). A reply matches if it consists of the word only; case, spaces and punctuation are ignored.',
    { pattern: '^.{1,40}$', expects: 'a comma-separated list of words', example: 'STOP,수신거부' },
  ),
  optInWords: optionalList(
    'Words with which a recipient revokes an opt-out, separated by commas. They match like `POSTERN_OPT_OUT_WORDS`.',
    { pattern: '^.{1,40}$', expects: 'a comma-separated list of words', example: 'START' },
  ),
  originCode: optionalText(
    'Your registration number as a value-added telecom operator, nine digits unless `POSTERN_ORIGIN_PATTERN` sets another form. It is sent to carriers with messages that have no `originCID`, unless their account has its own code.',
    { pattern: '^[0-9A-Za-z]{1,20}$', expects: 'at most 20 digits and letters', example: '123456789' },
  ),
  originPattern: text(
    'Form of registration numbers in `originCID`, `POSTERN_ORIGIN_CODE` and `postern trust account set --origin-codes`, at most 20 characters: up to five character classes `[0-9]`, `[A-Z]`, `[a-z]` or combined as `[A-Z0-9]`, each of which may be followed by `{n}` or `{n,m}`. Set the same for all processes.',
    {
      default: '[0-9]{9}',
      pattern: '^(\\[(A-Z|a-z|0-9)+\\](\\{\\d{1,2}(,\\d{1,2})?\\})?){1,5}$',
      expects: 'a pattern such as [0-9]{9}, [0-9]{8,10} or [A-Z][0-9]{8}',
    },
  ),
  recipientPerHour: whole(
    'Messages per hour that an account may send to one number, if the account has no value of its own and the rule `recipient-velocity` is on.',
    { default: 20, minimum: 1, maximum: 1_000_000 },
  ),
  prefixPerTenMinutes: whole(
    'Messages that an account may send within ten minutes to numbers that differ only in the last three digits, if the account has no value of its own and the rule `prefix-velocity` is on.',
    { default: 200, minimum: 1, maximum: 1_000_000 },
  ),
  conversionMinCodes: whole(
    'Minimum number of one-time codes of an account to a country since yesterday for the rule `low-conversion` to apply.',
    { default: 50, minimum: 1, maximum: 1_000_000 },
  ),
  conversionMaxPercent: whole(
    'Highest percentage of used one-time codes at which the rule `low-conversion` refuses or holds codes.',
    { default: 50, minimum: 0, maximum: 100 },
  ),
  shorteners: optionalList(
    'Domains of link shorteners in addition to the known ones, separated by commas, for accounts with `--links no-shorteners`.',
    {
      pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
      expects: 'a comma-separated list of domains in lower case, such as sho.rt',
      example: 'sho.rt',
    },
  ),
  countryHours: optionalList(
    'Hours in which advertisements may be sent to a country, separated by commas: its ISO code, the hours and their time zone, or `none` to forbid them. They replace the built-in hours of the country ([advertisements](../guides/advertising.md#abroad)).',
    {
      pattern: '^[A-Z]{2}=(none|\\d\\d:\\d\\d-\\d\\d:\\d\\d [A-Za-z0-9_/+-]+)$',
      expects: 'a comma-separated list such as DE=08:00-20:00 Europe/Berlin,VN=none',
      example: 'DE=08:00-20:00 Europe/Berlin',
    },
  ),
  cell: text(
    'Id of this cell, two characters of 0-9 and A-Z; each cell needs its own. It is part of every `msgKey`, token and file key, so that a proxy can find the cell ([scale](../operations/cells.md)).',
    { default: '00', pattern: '^[0-9A-Z]{2}$', expects: 'two characters of 0-9 and A-Z' },
  ),
  timeZone: text('Time zone of the times in responses and of the days in usage figures, as an IANA name.', {
    default: 'Asia/Seoul',
    expects: 'an IANA time zone name',
  }),
  stepTtlSeconds: whole(
    'Seconds that a step waits for its final result before it expires and the next step starts, unless the request sets a time to live.',
    { default: 86_400, minimum: 1, maximum: 604_800 },
  ),
  paymentCodes: whole(
    'Maximum number of distinct `paymentCode` values per account and day in usage figures. Further values are counted together as `(other codes)`, because clients choose the codes freely and usage is kept forever.',
    { default: 1_000, minimum: 1, maximum: 100_000 },
  ),
  retentionDays: whole(
    'Days that messages and attempts are kept after acceptance, and reports after they were written. More days need more disk space. With fewer than 30 the inquiry finds less than the API promises; with fewer than 3 so does polling.',
    { default: 30, minimum: 1, maximum: 366 },
  ),
  maxClockSkewSeconds: whole(
    "Maximum difference in seconds between this host's clock and PostgreSQL's. Beyond it one of them is wrong: the process leaves expiring, deleting and sending scheduled messages to processes whose clock agrees.",
    { default: 30, minimum: 1, maximum: 3_600 },
  ),
  fileFolder: text(
    'Directory for uploaded files. If processes run on several machines, it must be shared between them; otherwise use S3.',
    { default: './files' },
  ),
  publicFileUrl: text(
    'Base URL under which carriers and handsets fetch uploaded images. Set it to the public address of the API.',
    { default: 'http://127.0.0.1:8080/v1/file/content' },
  ),
  fileS3Bucket: optionalText(
    'S3 bucket for uploaded files. If it is set, S3 is used instead of the directory.',
    { example: 'postern-files' },
  ),
  fileS3Endpoint: optionalText('URL of an S3-compatible server. If it is not set, Amazon S3 is used.', {
    example: 'https://minio.example.com',
  }),
  fileS3Region: text('Region of the S3 bucket.', { default: 'us-east-1' }),
  fileS3AccessKeyId: optionalText(
    'Access key id for S3. If it is not set, the default AWS credential chain is used.',
    { example: 'AKIAIOSFODNN7EXAMPLE' },
  ),
  fileS3SecretAccessKey: optionalText('Secret access key for S3; required with an access key id.', {
    example: '…',
  }),
  fileQuotaCount: limit(
    'Maximum number of uploaded files per account. Expired files count until they are removed, 8 days after their expiry.',
    20_000,
  ),
  fileQuotaBytes: whole(
    'Maximum total size in bytes of the uploaded files of an account. 0 means no limit.',
    { default: 10_737_418_240, minimum: 0, maximum: 1_099_511_627_776_000 },
  ),
  batchLines: whole(
    'Maximum number of recipients of a batch. Each takes about 20 to 50 bytes of the database until the batch is deleted, without its messages.',
    { default: 1_000_000, minimum: 1, maximum: 10_000_000 },
  ),
  imageLifetimeDays: whole(
    'Days that images for friendtalk and brand messages can be used. They stay public under their URL for 8 more days, for messages accepted earlier. It applies to new uploads.',
    { default: 365, minimum: 1, maximum: 365 },
  ),
  publishTimeoutMs: whole(
    'Milliseconds that a send waits for the confirm of the broker. After that the client gets 503 and can retry.',
    { default: 5_000, minimum: 100, maximum: 60_000 },
  ),
  reserveMessages: whole(
    'Maximum number of messages in the intake queue, for example while PostgreSQL is unavailable. Sends are refused with 503: bulk from 50 % of it, normal from 80 %, urgent at 100 %. After the recovery workers need some minutes for a million messages.',
    { default: 1_000_000, minimum: 100, maximum: 100_000_000 },
  ),
  reserveBytes: whole(
    'Maximum size of the intake queue in bytes, with the same percentages for the lanes. Keep it below the free space of each RabbitMQ node minus its `disk_free_limit`.',
    { default: 1_073_741_824, minimum: 100_000, maximum: 1_099_511_627_776 },
  ),
  reserveMinutes: whole(
    'Minutes for which sends are accepted while no message is recorded, with the same percentages for the lanes. Messages with short deadlines lose their value in this time.',
    { default: 30, minimum: 1, maximum: 1_440 },
  ),
  cacheMaxAgeMinutes: whole(
    'Minutes that an API process serves requests while it cannot compare its cached accounts, credentials and rules with PostgreSQL; never less than POSTERN_RESERVE_MINUTES. After that it returns 503 and `/readyz` fails, because a key that was revoked in the meantime would still be accepted. 0 means no limit.',
    { default: 60, minimum: 0, maximum: 10_080 },
  ),
  sendLimit: limit(
    'Destinations and cancellations per second of an account, unless it has its own limit.',
    1_000,
  ),
  newAccountDayCap: limit(
    'Messages per day that a new account may send until `postern protection cap` changes that ([caps](../operations/abuse.md#caps)). The process or command that creates the account reads it.',
    10_000,
  ),
  reportLimit: limit(
    'Requests per second and account for reports (polling, inquiry, stream), timelines, usage and webhooks. A search of messages counts as 10.',
    50,
  ),
  fileLimit: limit('File uploads per second and account.', 20),
  formLimit: limit('Requests for forms, batches and opt-outs per second and account.', 20),
  idempotencyMegabytes: limit(
    'Megabytes of Redis that each account may use for its live `Idempotency-Key`s: accepted sends of the last 24 hours and refusals of the last ten minutes. Beyond that a send with a new key is refused with 429, and known keys still return their response. An account may use more while less than half of the `maxmemory` of Redis is in use; without `maxmemory` the limit always applies. A send to one recipient counts about 650 bytes: 250 MB hold 380,000 of them in 24 hours. Give Redis eight times as much ([limits](../operations/README.md#limits)).',
    250,
  ),
  limitWaitMs: whole(
    'Milliseconds that a request waits for Redis to check its rate limit. After that the process enforces the limit locally.',
    { default: 50, minimum: 1, maximum: 5_000 },
  ),
  proxyHops: whole(
    'Number of your own reverse proxies in front of the API. Token requests are limited per client address: with n proxies it is the nth entry from the end of `X-Forwarded-For`, with 0 the address of the connection. If the number is too high, clients can forge their address.',
    { default: 0, minimum: 0, maximum: 10 },
  ),
  tokenRequestsPerMinute: whole('Token requests per minute for one client id from one address.', {
    default: 600,
    minimum: 1,
  }),
  tokenFailuresPerMinute: whole(
    'Token requests with a wrong password per minute for one client id from one address.',
    { default: 10, minimum: 1 },
  ),
  tokenAddressFailuresPerMinute: whole(
    'Token requests with a wrong client id or password per minute from one address (for IPv6 a /64 network), for all client ids together. It does not apply to a client that has previously logged in from there.',
    { default: 60, minimum: 1 },
  ),
  webhookAllowedNetworks: optionalList(
    'Non-public networks that webhooks may reach, in CIDR notation, separated by commas, for example `10.1.0.0/16`. Set it only for receivers inside your own network.',
    { ...networks, example: '10.1.0.0/16,fd00::/8' },
  ),
  webhookPorts: optionalList(
    'Ports that webhook URLs may use, separated by commas. If it is not set, every port is allowed.',
    { pattern: '^\\d{1,5}$', expects: 'a comma-separated list of ports', example: '443,8443' },
  ),
  webhookHttp: choice(
    '`yes`: new webhook URLs may begin with `http://`. `no`: they must begin with `https://`, unless their host is an address of `POSTERN_WEBHOOK_ALLOWED_NETWORKS`. Existing URLs stay in use.',
    'no',
    ['yes', 'no'],
  ),
  webhookVerification: choice(
    '`yes`: a webhook is created disabled. Enabling it or changing its URL requires a proof that its receiver holds the secret: it must acknowledge sample reports signed with the secret and refuse one that is not. This prevents clients from having reports pushed to third-party servers. Existing webhooks need no proof until they are disabled.',
    'yes',
    ['yes', 'no'],
  ),
  webhookHostPerSecond: whole(
    'Maximum pushes per second from a worker to one host, over the webhooks of all accounts and all ports. Waiting accounts share the rate evenly.',
    { default: 1_000, minimum: 1, maximum: 100_000 },
  ),
  // 51.7 hours in total, 62 hours with the most jitter: well within the three days that a report is available.
  webhookRetrySeconds: list(
    'Seconds before each retry of a failed push to a webhook, separated by commas. Each delay is extended at random by up to a fifth. After the last retry the push is abandoned; its reports are available by polling for three days.',
    {
      pattern: '^\\d{1,6}$',
      default: '5 30 120 600 1800 3600 7200 14400 28800 43200 86400'.split(' '),
      expects: 'a comma-separated list of integers (seconds)',
    },
  ),
  webhookDisableSeconds: whole(
    'Seconds without a successful push after which a failing webhook is disabled. Its owner must enable it again.',
    { default: 86_400, minimum: 60, maximum: 259_200 },
  ),
  drainDelaySeconds: whole(
    'Seconds that a process that clients connect to (`api`, `admin`, `smpp-server`, `all`) keeps serving after SIGTERM while `/readyz` answers 503. Set it longer than your load balancer needs to take the process out of rotation.',
    { default: 5, minimum: 0, maximum: 300 },
  ),
  drainSeconds: whole(
    'Seconds that a stopping process has to finish its current work. After that it exits, and another process repeats unfinished work.',
    { default: 20, minimum: 1 },
  ),
  otlpUrl: optionalText(
    'URL of an OpenTelemetry collector that accepts OTLP over HTTP; `/v1/traces` is added. A share of the messages is then traced from acceptance to webhook ([observability](../operations/observability.md)). If it is not set, nothing is traced.',
    {
      pattern: '^https?://[^@]+$',
      expects: 'a URL that starts with http:// or https://, without a password',
      example: 'http://127.0.0.1:4318',
    },
  ),
  traceRatio: text(
    'Share of the messages that is traced, from 0 to 1. Set the same value for all processes of a cell: each decides by the msgKey.',
    {
      default: '0.01',
      pattern: '^(0(\\.\\d{1,6})?|1(\\.0{1,6})?)$',
      expects: 'a number from 0 to 1 with at most six decimals',
    },
  ),
  logLevel: choice(
    'Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug` or `trace`.',
    'info',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace'],
  ),
})
