/**
 * TLS settings of the links to PostgreSQL, RabbitMQ and Redis, from the configuration. Certificates are always verified,
 * against the authorities of Node.js or the ones in a file. A file that cannot be used stops the start.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The certificates of a PEM file. `setting` begins the error text. */
export function readAuthorities(setting: string, path: string): string {
  const text = readPemFile(setting, path)
  const blocks = text.match(block) ?? []
  try {
    for (const one of blocks) new X509Certificate(one)
    if (blocks.length > 0) return text
  } catch {
    // The error below says what it must be.
  }
  throw new ConfigError(
    `${setting} must name a file with one or more certificates in PEM, but ${path} has none`,
  )
}

export function readPemFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `${setting} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}). Every process must be able to read it.`,
    )
  }
}

/**
 * `sslmode` prefer, require and verify-ca mean verify-full here, as in today's driver; a later one may verify less.
 * `no-verify` and `disable` stay. The file of `sslrootcert` is checked.
 */
export function verifiedDatabaseUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const { searchParams } = parsed
  const authorities = searchParams.get('sslrootcert')
  if (authorities !== null) readAuthorities('sslrootcert of POSTERN_DATABASE_URL', authorities)
  const mode = searchParams.get('sslmode')
  if (mode === null ? authorities === null : !/^(prefer|require|verify-ca)$/.test(mode)) return url
  searchParams.set('sslmode', 'verify-full')
  return parsed.href
}

/** Undefined: in clear. Throws when some of the nodes would be reached in clear and others over TLS. */
export function brokerTls(
  urls: readonly string[],
  caFile: string | undefined,
): { readonly ca?: string } | undefined {
  const schemes = new Set(urls.map((url) => new URL(url).protocol))
  if (schemes.size > 1)
    throw new ConfigError(
      'POSTERN_BROKER_URLS must be all amqp:// or all amqps://: a client that can fall back to a node in clear has no protection. Use one scheme for every node.',
    )
  if (!schemes.has('amqps:')) {
    if (caFile !== undefined) throw unused('POSTERN_BROKER_CA_FILE', 'POSTERN_BROKER_URLS', 'amqps://')
    return undefined
  }
  return caFile === undefined ? {} : { ca: readAuthorities('POSTERN_BROKER_CA_FILE', caFile) }
}

/** Undefined: in clear. */
export function redisTls(url: string, caFile: string | undefined): { readonly ca?: string } | undefined {
  if (!/^rediss:/i.test(url)) {
    if (caFile !== undefined) throw unused('POSTERN_REDIS_CA_FILE', 'POSTERN_REDIS_URL', 'rediss://')
    return undefined
  }
  return caFile === undefined ? {} : { ca: readAuthorities('POSTERN_REDIS_CA_FILE', caFile) }
}

function unused(setting: string, urlSetting: string, scheme: string): ConfigError {
  return new ConfigError(
    `${setting} is set, but ${urlSetting} does not start with ${scheme}: the link would be in clear. Change the URL, or remove ${setting}.`,
  )
}
