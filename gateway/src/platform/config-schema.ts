/**
 * Every setting of the gateway: its type, limits, default and description. `docs/configuration.md` and `.env.example` are
 * generated from it.
 */
import { Type } from 'typebox'

interface Options {
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** Continues "must be" in error texts. Derived from the limits by default. */
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
    'URL of the PostgreSQL database, for example `postgres://user@host:5432/postern`. With `?sslmode=verify-full` the link uses TLS, with `&sslrootcert=/path` against your own certificate authority, and with `&sslcert=/path&sslkey=/path` it shows a certificate ([TLS](operations/tls.md)).',
    {
      pattern: '^postgres(ql)?://',
      expects: 'a URL that starts with postgres://',
      example: 'postgres://postern_api@127.0.0.1:5432/postern',
    },
  ),
  privilegedDatabaseUser: choice(
    'Action when a process connects to PostgreSQL as a superuser or as the owner of the tables, which can change everything, the audit log included, or an API, SMPP server or worker as a user for commands or the admin API: `refuse` to start, or `warn` in the log. Give each process a user of its [database role](operations/operators.md#database-roles).',
    'refuse',
    ['refuse', 'warn'],
  ),
  brokerUrls: list(
    'URLs of the RabbitMQ nodes of this cell, separated by commas, for example `amqp://user:password@host:5672`, or `amqps://` for TLS, for all nodes alike ([TLS](operations/tls.md)). List every node of a cluster, so that a process can connect to another one when a node fails.',
    {
      pattern: '^amqps?://',
      expects: 'a comma-separated list of URLs that start with amqp:// or amqps://',
      example: 'amqp://guest:guest@127.0.0.1:5672',
    },
  ),
  brokerCaFile: optionalText(
    'PEM file of the certificate authorities that the certificates of the RabbitMQ nodes are verified against. If it is not set, those of Node.js are used.',
    { example: '/etc/postern/broker-ca.pem' },
  ),
  brokerCertFile: optionalText(
    'PEM file of the certificate that this process shows to RabbitMQ nodes that ask for one, followed by its intermediate ones. Needs `POSTERN_BROKER_KEY_FILE` and `amqps://`.',
    { example: '/etc/postern/broker-client.pem' },
  ),
  brokerKeyFile: optionalText(
    'PEM file of the private key of `POSTERN_BROKER_CERT_FILE`, without a passphrase.',
    {
      example: '/etc/postern/broker-client-key.pem',
    },
  ),
  redisUrl: optionalText(
    'URL of Redis or Valkey, `redis://` or for TLS `rediss://`, for rate limits and velocity that all API processes share, for `Idempotency-Key`, and for marks of messages that crash workers. Without it each process enforces the limits on its own, and a send with an `Idempotency-Key` is refused. Set it when you run more than one API process.',
    { example: 'redis://127.0.0.1:6379' },
  ),
  redisCaFile: optionalText(
    'PEM file of the certificate authorities that the certificate of Redis is verified against. If it is not set, those of Node.js are used.',
    { example: '/etc/postern/redis-ca.pem' },
  ),
  redisCertFile: optionalText(
    'PEM file of the certificate that this process shows to a Redis that asks for one, followed by its intermediate ones. Needs `POSTERN_REDIS_KEY_FILE` and `rediss://`.',
    { example: '/etc/postern/redis-client.pem' },
  ),
  redisKeyFile: optionalText(
    'PEM file of the private key of `POSTERN_REDIS_CERT_FILE`, without a passphrase.',
    {
      example: '/etc/postern/redis-client-key.pem',
    },
  ),
  tokenSecret: text(
    'Key that signs access tokens, at least 32 characters. It must be the same for all processes of a cell and different in every cell; a worker needs none. Changing it invalidates every token that was issued; `postern token-key rotate` replaces the key that signs without that.',
    {
      minLength: 32,
      expects: 'a text of at least 32 characters',
      example: '$(openssl rand -hex 32)',
    },
  ),
  masterKey: optionalText(
    'Reference to the master key that encrypts secrets in the database (secrets and URLs of webhooks, options of routes, proofs of senders): `env:NAME` or `file:/path` of 32 random bytes, as 64 hexadecimal digits or in base64. The same for all processes of a cell. Without it secrets are stored in clear. Keep a copy outside of the database and its backups: without the key they cannot be recovered ([secrets](operations/secrets.md)).',
    { ...reference, example: 'file:/run/secrets/postern-master-key' },
  ),
  previousMasterKey: optionalText(
    'Reference to the former master key, while `postern secrets rekey` replaces it. Remove it when the command has ended.',
    { ...reference, example: 'file:/run/secrets/postern-master-key-2026' },
  ),
  encryptMessages: choice(
    'Whether recipients and texts of new messages are encrypted in PostgreSQL, RabbitMQ and Redis: `yes` or `no`. It needs a master key. Set it when every process runs a version that knows it; messages that were stored before stay as they are until their retention ends ([privacy](operations/privacy.md)).',
    'no',
    ['yes', 'no'],
  ),
  operatorKey: optionalText(
    'Key of the operator who runs a command, or a reference to it: `file:/path` or `env:NAME`. Needed by every command where operators exist, and by commands that use the admin API of `POSTERN_ADMIN_URL`; processes do not use it ([operators](operations/operators.md), [commands](operations/cli.md)).',
    { example: 'file:/home/kim/.postern-key' },
  ),
  routeVariables: list(
    'Variables that the options of routes may reference as `env:NAME`, separated by commas; a `*` at the end matches any suffix ([secrets](operations/secrets.md#what-routes-may-refer-to)). Set the same for all processes.',
    {
      default: ['POSTERN_ROUTE_SECRET_*'],
      pattern: '^[A-Z][A-Z0-9_]*\\*?$',
      expects: 'a comma-separated list of names of variables, which may end with *',
      example: 'CARRIER_*,SKT_PASSWORD',
    },
  ),
  routeFiles: list(
    'Directories with the files that the options of routes may reference as `file:/path`, separated by commas ([secrets](operations/secrets.md#what-routes-may-refer-to)). Set the same for all processes.',
    {
      default: ['/etc/postern/routes'],
      pattern: '^/.+$',
      expects: 'a comma-separated list of directories that begin with /',
      example: '/etc/postern/routes,/run/secrets/carriers',
    },
  ),
  providerModules: optionalList(
    'Files with [providers of your own](add-a-provider.md), separated by commas. They run as code of the gateway. Set the same for all processes, and for commands that use the database.',
    {
      pattern: '^/.+\\.[jt]s$',
      expects: 'a comma-separated list of .js or .ts files that begin with /',
      example: '/etc/postern/providers/aligo.ts',
    },
  ),
  routeNetworks: optionalList(
    'Networks in CIDR notation, separated by commas, that routes may connect to although they are loopback, link-local or metadata addresses, for example `127.0.0.1/32` for a TLS proxy on the same machine. Public and private networks are always allowed. Set it for workers.',
    { ...networks, example: '127.0.0.1/32' },
  ),
  trafficDays: whole(
    'Days for which the traffic record of a closed message is kept: account, time, channel, outcome, and the recipient as an HMAC, without content. 0: none is written. Korean law asks for 12 months ([privacy](operations/privacy.md)).',
    { default: 0, minimum: 0, maximum: 3660 },
  ),
  queuePrefix: text(
    'Prefix of the names of all queues and Redis keys. Change it when several gateways share a broker or a Redis.',
    { default: 'postern.' },
  ),
  httpHost: text(
    'Address that the API listens on. Set it to `0.0.0.0` or `::` to accept connections from other machines.',
    { default: '127.0.0.1' },
  ),
  httpPort: whole('Port that the API listens on.', { default: 8080, minimum: 0, maximum: 65535 }),
  httpCertFile: optionalText(
    'PEM file of the certificate of the API, with its intermediate certificates. With it the API serves HTTPS, TLS 1.2 and 1.3. It is read again within ten seconds after a change.',
    { example: '/etc/postern/api-cert.pem' },
  ),
  httpKeyFile: optionalText('PEM file of the private key of the API; required with a certificate.', {
    example: '/etc/postern/api-key.pem',
  }),
  httpClear: choice(
    'What to do when the API has no certificate and listens on an address that is not loopback, where tokens and message texts can be read on the network: `refuse` to start; `proxy`: a reverse proxy of yours in front of it serves HTTPS, and `POSTERN_PROXY_HOPS` is at least 1; `warn`: start with a warning in the log.',
    'warn',
    ['refuse', 'proxy', 'warn'],
  ),
  httpConnections: whole(
    'Connections that an API process accepts at a time, and the admin API separately; further ones are closed at once. A connection with TLS takes up to 100 KB of memory.',
    { default: 5_000, minimum: 1, maximum: 100_000 },
  ),
  adminHost: text(
    'Address that the admin API listens on. On an address that is not loopback it needs `POSTERN_HTTP_CERT_FILE`, or `POSTERN_HTTP_CLEAR=proxy` when a reverse proxy of yours serves HTTPS, with `POSTERN_ADMIN_PROXY_HOPS` of at least 1.',
    { default: '127.0.0.1' },
  ),
  adminPort: optionalWhole(
    'Port that the admin API listens on, in `postern admin` and `postern all`. If it is not set, there is no admin API ([admin API](operations/admin-api.md)).',
    { minimum: 0, maximum: 65535, example: '8090' },
  ),
  smppServerHost: text(
    'Address that the SMPP server listens on. Set it to `0.0.0.0` or `::` to accept connections from other machines.',
    { default: '127.0.0.1' },
  ),
  smppServerPort: optionalWhole(
    'Port that the SMPP server for clients listens on, in `postern smpp-server` and `postern all`. If it is not set, there is none ([SMPP server](smpp-server.md)).',
    { minimum: 0, maximum: 65535, example: '2775' },
  ),
  smppServerTls: choice(
    'TLS of the SMPP server: `certificate`: with the certificate of the API where there is one; `off`: in clear, for a private network or a proxy of yours that ends TLS.',
    'certificate',
    ['certificate', 'off'],
  ),
  smppServerProxyProtocol: choice(
    '`yes`: every connection to the SMPP server must begin with a header of the PROXY protocol, version 1 or 2, and is closed otherwise. Set it behind a TCP proxy that sends the header, and let only the proxy reach the port: whoever writes the header chooses the client address ([SMPP server](operations/smpp-server.md#behind-a-tcp-proxy)).',
    'no',
    ['yes', 'no'],
  ),
  smppServerConnections: whole(
    'Connections that one SMPP server has at a time, bound or not; further ones are closed at once.',
    { default: 1000, minimum: 1, maximum: 100_000 },
  ),
  smppServerWindow: whole(
    'Requests to send that one bind may have unanswered; it is not read any further until it has fewer.',
    { default: 100, minimum: 1, maximum: 10_000 },
  ),
  smppServerDeliverWindow: whole(
    'Receipts and replies that one bind may have unanswered before it gets more.',
    { default: 10, minimum: 1, maximum: 1_000 },
  ),
  smppServerEnquireSeconds: whole(
    'Seconds after which the SMPP server asks a bind whether it is alive; one that does not answer for as long again is closed.',
    { default: 30, minimum: 1, maximum: 3_600 },
  ),
  adminUrl: optionalText(
    'URL under which browsers reach the admin API and the console, without a path. It must be `https://`, or on loopback; with `https://` the cookie of a session is sent over HTTPS only; writes of a browser must come from this origin. Needed for `POSTERN_ADMIN_OIDC_ISSUER` ([sign-in](operations/sign-in.md)).',
    {
      pattern: '^https?://[^/?#\\s@]+$',
      expects: 'a URL that starts with https:// or http://, without a path',
      example: 'https://console.example.com',
    },
  ),
  adminProxyHops: whole(
    'Number of your own reverse proxies in front of the admin API, as `POSTERN_PROXY_HOPS` is for the API: wrong sign-ins are limited per client address, and the audit log has it. Too high a number lets callers forge their address.',
    { default: 0, minimum: 0, maximum: 10 },
  ),
  adminFor: choice(
    'Whom the admin API and the console serve. `clients`: only logins of clients, for a process that clients reach over the internet; operators of the installation are refused there, whatever they sign in with ([self-service](operations/self-service.md)).',
    'everybody',
    ['everybody', 'clients'],
  ),
  sandboxPhones: choice(
    '`yes`: the admin API and the console show what was sent over [sandbox](connectors/sandbox.md) routes on virtual phones, where testers answer messages and choose how the carrier behaves ([console](operations/console.md#sandbox)). Set it for the admin process of an installation for tests or evaluation; in production leave it at `no`.',
    'no',
    ['yes', 'no'],
  ),
  adminSessionIdleMinutes: whole('Minutes without a request after which the session of an operator ends.', {
    default: 30,
    minimum: 5,
    maximum: 1_440,
  }),
  adminSessionHours: whole('Hours after which the session of an operator ends, used or not.', {
    default: 12,
    minimum: 1,
    maximum: 720,
  }),
  adminOidcIssuer: optionalText(
    'Issuer of an OpenID Connect provider that operators sign in with, beside their passwords. It must be `https://`, or on loopback. Needs `POSTERN_ADMIN_URL`, `POSTERN_ADMIN_OIDC_CLIENT_ID` and `POSTERN_ADMIN_OIDC_ROLES` ([sign-in](operations/sign-in.md)).',
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
  adminOidcScope: text('Scopes that are requested from the provider, separated by blanks.', {
    default: 'openid profile email',
    pattern: '^openid( [!#-\\[\\]-~]+)*$',
    expects: 'openid, and other scopes after it',
  }),
  adminOidcNameClaim: text(
    'Claim of the provider that is the name of a new operator, in lower case: 1 to 64 letters, digits and `. _ @ -`.',
    { default: 'preferred_username' },
  ),
  adminOidcRoleClaim: text(
    'Claim of the provider with the groups or roles of a person: a text, or a list of texts.',
    { default: 'groups' },
  ),
  adminOidcRoles: optionalList(
    'Which value of `POSTERN_ADMIN_OIDC_ROLE_CLAIM` gives which role, separated by commas. With several the highest role counts; with none the sign-in is refused.',
    {
      pattern: '^.+=(viewer|support|operator|admin)$',
      expects: 'a comma-separated list of value=role, with the roles viewer, support, operator and admin',
      example: 'gateway-admins=admin,on-call=operator',
    },
  ),
  opsHost: text(
    'Address that `/livez`, `/readyz` and `/metrics` listen on. They need no token: do not expose them to the internet.',
    { default: '127.0.0.1' },
  ),
  opsPort: whole('Port that `/livez`, `/readyz` and `/metrics` listen on.', {
    default: 9090,
    minimum: 0,
    maximum: 65535,
  }),
  credentialPrefixes: list(
    'Vendor prefixes accepted in the headers `X-<prefix>-Client-Id` and `X-<prefix>-Client-Passwd`, separated by commas. The API reference names the first. `IB` is the prefix of the published SDKs.',
    {
      pattern: '^[A-Za-z0-9-]+$',
      default: ['SVC', 'IB'],
      expects: 'a comma-separated list of prefixes made of letters, digits and hyphens',
    },
  ),
  senderKinds: optionalList(
    'Kinds of sender numbers that are accepted besides ordinary ones, separated by commas. `special`: numbers of 3 or 4 digits such as 112, which only their owner may use. `old-mobile`: 011 and 016 to 019. `forwarding`: 050. Set it only when your carriers accept them from you.',
    {
      pattern: '^(special|old-mobile|forwarding)$',
      expects: 'a comma-separated list of special, old-mobile and forwarding',
      example: 'special',
    },
  ),
  optOutWords: optionalList(
    'Words by which a recipient opts out of advertisements, separated by commas, instead of those in [advertisements](advertising.md#recipients-who-want-none). A text must be the whole word; case, blanks and punctuation do not count.',
    { pattern: '^.{1,40}$', expects: 'a comma-separated list of words', example: 'STOP,수신거부' },
  ),
  optInWords: optionalList('The same for words by which a recipient takes an opt-out back.', {
    pattern: '^.{1,40}$',
    expects: 'a comma-separated list of words',
    example: 'START',
  }),
  originCode: optionalText(
    'Your registration number as a value-added telecom operator, nine digits unless `POSTERN_ORIGIN_PATTERN` says otherwise. Messages whose client gives no `originCID` carry it to carriers, unless their account has a code of its own.',
    {
      pattern: '^[0-9A-Za-z]{1,20}$',
      expects: 'digits and letters, 20 at most',
      example: '123456789',
    },
  ),
  originPattern: text(
    'The form of registration numbers in `originCID`, `POSTERN_ORIGIN_CODE` and `postern trust account set --origin-codes`, of 20 characters at most: up to five character classes `[0-9]`, `[A-Z]`, `[a-z]` or combined as `[A-Z0-9]`, each of which may be followed by `{n}` or `{n,m}`. Set the same for all processes.',
    {
      default: '[0-9]{9}',
      pattern: '^(\\[(A-Z|a-z|0-9)+\\](\\{\\d{1,2}(,\\d{1,2})?\\})?){1,5}$',
      expects: 'a pattern such as [0-9]{9}, [0-9]{8,10} or [A-Z][0-9]{8}',
    },
  ),
  recipientPerHour: whole(
    'Messages that an account may send to one number in an hour, where nothing is set for the account and the rule `recipient-velocity` is on.',
    { default: 20, minimum: 1, maximum: 1_000_000 },
  ),
  prefixPerTenMinutes: whole(
    'Messages that an account may send in ten minutes to numbers that differ in the last three digits only, where nothing is set for the account and the rule `prefix-velocity` is on.',
    { default: 200, minimum: 1, maximum: 1_000_000 },
  ),
  conversionMinCodes: whole(
    'One-time codes of an account to a country since yesterday below which the rule `low-conversion` does not judge.',
    { default: 50, minimum: 1, maximum: 1_000_000 },
  ),
  conversionMaxPercent: whole(
    'Codes are refused or held by the rule `low-conversion` when no more than this share of them was used.',
    { default: 50, minimum: 0, maximum: 100 },
  ),
  shorteners: optionalList(
    'Domains of link shorteners besides the known ones, separated by commas, for accounts with `--links no-shorteners`.',
    {
      pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
      expects: 'a comma-separated list of domains in lower case, such as sho.rt',
      example: 'sho.rt',
    },
  ),
  countryHours: optionalList(
    'Hours in which advertisements may be sent to a country, separated by commas: its ISO code, the hours and their time zone. `none`: not at all. They replace the known hours of the country ([advertisements](advertising.md#abroad)).',
    {
      pattern: '^[A-Z]{2}=(none|\\d\\d:\\d\\d-\\d\\d:\\d\\d [A-Za-z0-9_/+-]+)$',
      expects: 'a comma-separated list such as DE=08:00-20:00 Europe/Berlin,VN=none',
      example: 'DE=08:00-20:00 Europe/Berlin',
    },
  ),
  cell: text(
    'Id of this cell, two characters of 0-9 and A-Z. It is part of every `msgKey`, token and file key, by which a proxy finds the cell ([scale](scale.md)); each cell needs its own.',
    { default: '00', pattern: '^[0-9A-Z]{2}$', expects: 'two characters of 0-9 and A-Z' },
  ),
  timeZone: text('Time zone of the times in responses and of the days in usage figures, as an IANA name.', {
    default: 'Asia/Seoul',
    expects: 'an IANA time zone name',
  }),
  stepTtlSeconds: whole(
    'Seconds that a step waits for its final result before it expires and the next step starts, unless the request sets its own time to live.',
    { default: 86_400, minimum: 1, maximum: 604_800 },
  ),
  paymentCodes: whole(
    'Values of `paymentCode` of an account and day that usage figures keep apart. Further ones are counted together as `(other codes)`: the codes are any text of a client, and usage is kept for ever.',
    { default: 1_000, minimum: 1, maximum: 100_000 },
  ),
  retentionDays: whole(
    'Days that messages and attempts are kept after their acceptance, and reports after they were written. More days need more disk space; with fewer than 30 the inquiry finds less than the API promises, with fewer than 3 polling does too.',
    {
      default: 30,
      minimum: 1,
      maximum: 366,
    },
  ),
  maxClockSkewSeconds: whole(
    "Seconds that this host's clock may differ from PostgreSQL's. Beyond that one of them is wrong: the process leaves expiring, deleting and sending scheduled messages to processes whose clock agrees.",
    { default: 30, minimum: 1, maximum: 3_600 },
  ),
  fileFolder: text(
    'Folder for uploaded files. If processes run on several machines, it must be a shared folder; otherwise use S3.',
    { default: './files' },
  ),
  publicFileBase: text(
    'Base URL under which carriers and handsets fetch uploaded images. Set it to the public address of the API.',
    { default: 'http://127.0.0.1:8080/v1/file/content' },
  ),
  fileS3Bucket: optionalText(
    'S3 bucket for uploaded files. If it is set, S3 is used instead of the folder.',
    {
      example: 'postern-files',
    },
  ),
  fileS3Endpoint: optionalText('URL of an S3-compatible server. If it is not set, Amazon S3 is used.', {
    example: 'https://minio.example.com',
  }),
  fileS3Region: text('Region of the S3 bucket.', { default: 'us-east-1' }),
  fileS3AccessKeyId: optionalText(
    'Access key id for S3. If it is not set, the default AWS credential chain is used.',
    {
      example: 'AKIAIOSFODNN7EXAMPLE',
    },
  ),
  fileS3SecretAccessKey: optionalText('Secret access key for S3; required with an access key id.', {
    example: '…',
  }),
  fileQuotaCount: limit(
    'Uploaded files that an account may have at a time. Expired ones count until they are removed, 8 days after their expiry.',
    20_000,
  ),
  fileQuotaBytes: whole('Bytes of uploaded files that an account may have at a time. 0 means no limit.', {
    default: 10_737_418_240,
    minimum: 0,
    maximum: 1_099_511_627_776_000,
  }),
  imageLifetimeDays: whole(
    'Days that images for friendtalk and brand messages can be used, and are public under their URL for 8 days more, for messages that were accepted before. It applies to new uploads.',
    { default: 365, minimum: 1, maximum: 365 },
  ),
  publishTimeoutMs: whole(
    'Milliseconds that a send waits for the broker to confirm it. After that the client gets 503 and may retry.',
    { default: 5_000, minimum: 100, maximum: 60_000 },
  ),
  reserveMessages: whole(
    'Messages that may wait in the first queue, for example while PostgreSQL is unavailable. Beyond that sends are refused with 503: bulk from 50 % of it, normal from 80 %, urgent at 100 %. After the recovery a million take workers some minutes.',
    { default: 1_000_000, minimum: 100, maximum: 100_000_000 },
  ),
  reserveBytes: whole(
    'Bytes that may wait in the first queue, with the same parts for the lanes. Keep it below the free space of each RabbitMQ node less its `disk_free_limit`.',
    { default: 1_073_741_824, minimum: 100_000, maximum: 1_099_511_627_776 },
  ),
  reserveMinutes: whole(
    'Minutes that sends are accepted while nothing is recorded, with the same parts for the lanes. Messages with short deadlines lose their value in this time.',
    { default: 30, minimum: 1, maximum: 1_440 },
  ),
  maxCopyAgeMinutes: whole(
    'Minutes that an API process serves while it cannot compare its copies of accounts, credentials and rules with PostgreSQL; never less than POSTERN_RESERVE_MINUTES. After that it answers 503 and `/readyz` fails, because a key that was revoked meanwhile would still work there. 0: no limit.',
    { default: 60, minimum: 0, maximum: 10_080 },
  ),
  sendLimit: limit(
    'Destinations per second that an account may send to, and cancellations, unless it has a limit of its own.',
    1_000,
  ),
  newAccountDayCap: limit(
    'Messages per day that a new account may send until `postern protection cap` changes that ([caps](operations/abuse.md#caps)). The process or command that creates the account reads it.',
    10_000,
  ),
  reportLimit: limit(
    'Requests per second and account for reports (polling, inquiry, stream), timelines, usage and webhooks. A search of messages counts as 10.',
    50,
  ),
  fileLimit: limit('File uploads per second and account.', 20),
  formLimit: limit('Form requests per second and account.', 20),
  idempotencyMegabytes: limit(
    'Megabytes of Redis that every account may use for its live `Idempotency-Key`s: accepted sends of the last 24 hours and refusals of the last ten minutes. An account may use more while less than half of the `maxmemory` of Redis is taken; otherwise, and when Redis has no `maxmemory`, a send with a new key is refused with 429 beyond it, and known keys are answered as before. A send to one recipient is counted with about 650 bytes: 250 MB are 380,000 of them in 24 hours. Give Redis eight times as much ([limits](operations/README.md#limits)).',
    250,
  ),
  limitWaitMs: whole(
    'Milliseconds that a request waits for Redis to check its rate limit. After that the process enforces the limit on its own.',
    { default: 50, minimum: 1, maximum: 5_000 },
  ),
  proxyHops: whole(
    'Number of your own reverse proxies in front of the API. Token requests are limited per client address: with n proxies it is the nth entry from the end of `X-Forwarded-For`, with 0 the address of the connection. Too high a number lets clients forge their address.',
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
    'Token requests with a wrong client id or password per minute from one address (of IPv6 a /64 network), for all client ids together. It does not apply to a client that has logged in from there before.',
    { default: 60, minimum: 1 },
  ),
  webhookAllowedNetworks: optionalList(
    'Networks in CIDR notation, separated by commas, that webhooks may reach although they are not public, for example `10.1.0.0/16`. Set it only for receivers inside your own network.',
    { ...networks, example: '10.1.0.0/16,fd00::/8' },
  ),
  webhookPorts: optionalList(
    'Ports that webhook URLs may use, separated by commas. If it is not set, every port is allowed.',
    {
      pattern: '^\\d{1,5}$',
      expects: 'a comma-separated list of ports',
      example: '443,8443',
    },
  ),
  webhookHttp: choice(
    '`yes`: new webhook URLs may begin with `http://`. Otherwise they must begin with `https://`, unless their host is an address of `POSTERN_WEBHOOK_ALLOWED_NETWORKS`. URLs that are set already stay in use.',
    'no',
    ['yes', 'no'],
  ),
  webhookProof: choice(
    '`yes`: a webhook is created disabled, and enabled, or its URL changed, only after its receiver has shown that it holds the secret: it acknowledges sample reports that are signed with it, and refuses one that is not. Nobody can then have reports pushed to a server of somebody else. Recommended for new installations; webhooks that exist need no proof until they are disabled.',
    'no',
    ['yes', 'no'],
  ),
  webhookHostPerSecond: whole(
    'Pushes per second of a worker to one host, over the webhooks of all accounts and all ports. Accounts that wait for the host share it evenly.',
    { default: 1_000, minimum: 1, maximum: 100_000 },
  ),
  // 51.7 hours in all, 62 hours with the most jitter: well within the three days that a report is available.
  webhookRetrySeconds: list(
    'Seconds to wait before each retry of a failed push to a webhook, separated by commas. Each wait is lengthened by up to a fifth at random. After the last retry the push is abandoned; reports are available by polling for three days.',
    {
      pattern: '^\\d{1,6}$',
      default: '5 30 120 600 1800 3600 7200 14400 28800 43200 86400'.split(' '),
      expects: 'a comma-separated list of whole numbers of seconds',
    },
  ),
  webhookDisableSeconds: whole(
    'Seconds without a successful push after which a failing webhook is disabled. Its owner has to enable it again.',
    { default: 86_400, minimum: 60, maximum: 259_200 },
  ),
  drainDelaySeconds: whole(
    'Seconds that a process that clients connect to (`api`, `admin`, `smpp-server`, `all`) keeps serving after SIGTERM while `/readyz` answers 503. Set it longer than your load balancer needs to take the process out of rotation.',
    { default: 5, minimum: 0, maximum: 300 },
  ),
  drainSeconds: whole(
    'Seconds that a stopping process has to finish its current work. After that it exits, and another process repeats the rest.',
    { default: 20, minimum: 1 },
  ),
  otlpUrl: optionalText(
    'URL of an OpenTelemetry collector that accepts OTLP over HTTP; `/v1/traces` is added. With it a part of the messages is traced from accept to webhook ([observability](operations/observability.md)). If it is not set, nothing is traced.',
    {
      pattern: '^https?://[^@]+$',
      expects: 'a URL that starts with http:// or https://, without a password',
      example: 'http://127.0.0.1:4318',
    },
  ),
  traceRatio: text(
    'Part of the messages that is traced, from 0 to 1. Set it to the same value for all processes of a cell: each decides by the msgKey.',
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
