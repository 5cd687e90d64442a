/**
 * TLS settings of the links to PostgreSQL, RabbitMQ and Redis, from the configuration. Certificates are always verified,
 * against the authorities of Node.js or the ones in a file, and a certificate of the gateway's own is shown to engines that ask for
 * one. A file that cannot be used stops the start.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
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

/** Files of a link, as the settings name them. */
export interface TlsFiles {
  readonly caFile?: string | undefined
  /** The certificate that the gateway shows, and its key: both or neither. */
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
}

export interface LinkTls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** The certificate of the gateway and its key. `settings` name both in the error text. */
function readClientCertificate(
  [certSetting, keySetting]: readonly [string, string],
  certFile: string | undefined,
  keyFile: string | undefined,
): Pick<LinkTls, 'cert' | 'key'> {
  if (certFile === undefined && keyFile === undefined) return {}
  if (certFile === undefined || keyFile === undefined)
    throw new ConfigError(
      `${certSetting} and ${keySetting} must be set together: a client certificate is of no use without its key. Set both, or remove the one.`,
    )
  const cert = readAuthorities(certSetting, certFile)
  const key = readPemFile(keySetting, keyFile)
  if (!isPair(cert, key))
    throw new ConfigError(
      `${keySetting} must name the private key of the certificate in ${certSetting}, in PEM and without a passphrase, but ${keyFile} is not. Set the two files of one certificate.`,
    )
  return { cert, key }
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/** `name`: the part of the settings that names the engine. */
function readLink(name: 'BROKER' | 'REDIS', { caFile, certFile, keyFile }: TlsFiles): LinkTls {
  const setting = (what: string): string => `POSTERN_${name}_${what}_FILE`
  return {
    ...(caFile === undefined ? {} : { ca: readAuthorities(setting('CA'), caFile) }),
    ...readClientCertificate([setting('CERT'), setting('KEY')], certFile, keyFile),
  }
}

function refuseUnused(
  name: 'BROKER' | 'REDIS',
  { caFile, certFile, keyFile }: TlsFiles,
  [urlSetting, scheme]: readonly [string, string],
): void {
  const given = { CA: caFile, CERT: certFile, KEY: keyFile }
  for (const [what, file] of Object.entries(given))
    if (file !== undefined) throw unused(`POSTERN_${name}_${what}_FILE`, urlSetting, scheme)
}

/**
 * `sslmode` prefer, require and verify-ca mean verify-full here, as in today's driver; a later one may verify less.
 * `no-verify` and `disable` stay; without `sslmode` a file means it, too. The files of `sslrootcert`, `sslcert` and `sslkey` are checked.
 */
export function verifiedDatabaseUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const { searchParams } = parsed
  const authorities = searchParams.get('sslrootcert')
  if (authorities !== null) readAuthorities('sslrootcert of POSTERN_DATABASE_URL', authorities)
  const [certFile, keyFile] = ['sslcert', 'sslkey'].map((name) => searchParams.get(name) ?? undefined)
  readClientCertificate(
    ['sslcert of POSTERN_DATABASE_URL', 'sslkey of POSTERN_DATABASE_URL'],
    ...([certFile, keyFile] as const),
  )
  const mode = searchParams.get('sslmode')
  if (mode === 'disable' && certFile !== undefined)
    throw new ConfigError(
      'sslcert of POSTERN_DATABASE_URL is set, but with sslmode=disable the link would be in clear. Set sslmode=verify-full, or remove sslcert and sslkey.',
    )
  const hasFiles = authorities !== null || certFile !== undefined
  if (mode === null ? !hasFiles : !/^(prefer|require|verify-ca)$/.test(mode)) return url
  searchParams.set('sslmode', 'verify-full')
  return parsed.href
}

/** Undefined: in clear. Throws when some of the nodes would be reached in clear and others over TLS. */
export function brokerTls(urls: readonly string[], files: TlsFiles = {}): LinkTls | undefined {
  const schemes = new Set(urls.map((url) => new URL(url).protocol))
  if (schemes.size > 1)
    throw new ConfigError(
      'POSTERN_BROKER_URLS must be all amqp:// or all amqps://: a client that can fall back to a node in clear has no protection. Use one scheme for every node.',
    )
  if (!schemes.has('amqps:')) {
    refuseUnused('BROKER', files, ['POSTERN_BROKER_URLS', 'amqps://'])
    return undefined
  }
  return readLink('BROKER', files)
}

/** Undefined: in clear. */
export function redisTls(url: string, files: TlsFiles = {}): LinkTls | undefined {
  if (!/^rediss:/i.test(url)) {
    refuseUnused('REDIS', files, ['POSTERN_REDIS_URL', 'rediss://'])
    return undefined
  }
  return readLink('REDIS', files)
}

function unused(setting: string, urlSetting: string, scheme: string): ConfigError {
  return new ConfigError(
    `${setting} is set, but ${urlSetting} does not start with ${scheme}: the link would be in clear. Change the URL, or remove ${setting}.`,
  )
}
