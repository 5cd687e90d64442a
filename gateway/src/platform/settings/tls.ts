/**
 * TLS settings of the links to PostgreSQL, RabbitMQ and Redis. Server certificates are verified, unless the URL of
 * the database has `no-verify` or `disable`, against the certificate authorities of Node.js or those in a file, and a
 * client certificate can be set. An unusable file prevents the start. Files are read again, all together, with every
 * connection.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import { ConfigError } from './config-error.ts'

const begin = /-----BEGIN CERTIFICATE-----/g
const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/**
 * Reads the certificates of a PEM file. A file that is being written is refused. `setting` begins the error
 * message.
 */
export function readAuthorities(setting: string, path: string): string {
  const text = readPemFile(setting, path)
  const blocks = text.match(block) ?? []
  const beginMarkers = text.match(begin)?.length ?? 0
  try {
    for (const certificate of blocks) new X509Certificate(certificate)
    if (blocks.length > 0 && blocks.length === beginMarkers) return text
  } catch {
    // The error below states what is expected.
  }
  throw new ConfigError(
    `${setting} must name a file with one or more PEM certificates, but ${path} has ${beginMarkers === 0 ? 'none' : 'a damaged or incomplete one'}`,
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

/** The paths of the files for a link. */
export interface TlsFiles {
  readonly caFile?: string | undefined
  /** The client certificate; it requires a key, and a key requires it. */
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
}

/** The name of each file in error texts. */
export interface FileSettings {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

export const databaseFileSettings: FileSettings = {
  ca: 'sslrootcert of POSTERN_DATABASE_URL',
  cert: 'sslcert of POSTERN_DATABASE_URL',
  key: 'sslkey of POSTERN_DATABASE_URL',
}

/** Options of `tls.connect`, which the engine clients copy for every connection. */
export interface LinkTls {
  /** Built from the current content of the files; absent if no file is set. */
  readonly secureContext?: SecureContext
}

/** Called once for each fault of replaced files. The link continues with those that were read before. */
export type OnUnusable = (error: Error) => void

/** Throws if the files cannot be used now. */
export function openLink(settings: FileSettings, files: TlsFiles, onUnusable: OnUnusable): LinkTls {
  const contents = readFiles(settings, files)
  if (Object.keys(contents).length === 0) return {}
  let context = createSecureContext(contents)
  let fault: string | undefined
  return {
    get secureContext() {
      try {
        context = createSecureContext(readFiles(settings, files))
        fault = undefined
      } catch (error) {
        const { message } = error as Error
        if (message !== fault) onUnusable(error as Error)
        fault = message
      }
      return context
    },
  }
}

function readFiles(
  settings: FileSettings,
  { caFile, certFile, keyFile }: TlsFiles,
): Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> {
  const ca = caFile === undefined ? {} : { ca: readAuthorities(settings.ca, caFile) }
  if (certFile === undefined && keyFile === undefined) return ca
  if (certFile === undefined || keyFile === undefined)
    throw new ConfigError(
      `${settings.cert} and ${settings.key} must be set together: a client certificate requires its key. Set both, or neither.`,
    )
  const cert = readAuthorities(settings.cert, certFile)
  const key = readPemFile(settings.key, keyFile)
  if (!isPair(cert, key))
    throw new ConfigError(
      `${settings.key} must name the PEM private key of the certificate in ${settings.cert}, without a passphrase, but ${keyFile} is not. Set the two files of one certificate.`,
    )
  return { ...ca, cert, key }
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/**
 * Checks the TLS files of the URL and returns it with `sslmode=verify-full` for prefer, require and
 * verify-ca, and for a URL that names files without a mode, because a later driver may verify less for them.
 * `no-verify` and `disable` are kept.
 */
export function verifiedDatabaseUrl(url: string, name = 'POSTERN_DATABASE_URL'): string {
  if (!URL.canParse(url)) {
    // The driver would read the files, and a missing one would end the process.
    if (/[?&]ssl(?:rootcert|cert|key)=/.test(url))
      throw new ConfigError(
        `${name} names TLS files but is not a valid URL; write the host before the path and percent-encode special characters`,
      )
    return url
  }
  const parsed = new URL(url)
  const { searchParams } = parsed
  const [caFile, certFile, keyFile] = ['sslrootcert', 'sslcert', 'sslkey'].map(
    (name) => searchParams.get(name) ?? undefined,
  )
  readFiles(databaseFileSettings, { caFile, certFile, keyFile })
  const mode = searchParams.get('sslmode')
  if (mode === 'disable' && certFile !== undefined)
    throw new ConfigError(
      'sslcert of POSTERN_DATABASE_URL is set, but sslmode=disable would leave the link in plaintext. Set sslmode=verify-full, or remove sslcert and sslkey.',
    )
  const hasFiles = caFile !== undefined || certFile !== undefined
  if (mode === null ? !hasFiles : !/^(prefer|require|verify-ca)$/.test(mode)) return url
  searchParams.set('sslmode', 'verify-full')
  return parsed.href
}

/**
 * Returns undefined for a plaintext link, and throws if files are set for one. Throws if some nodes would be reached
 * in plaintext and others over TLS.
 */
export function brokerTls(
  urls: readonly string[],
  files: TlsFiles = {},
  onUnusable: OnUnusable = () => undefined,
): LinkTls | undefined {
  const schemes = new Set(urls.map((url) => new URL(url).protocol))
  if (schemes.size > 1)
    throw new ConfigError(
      'POSTERN_BROKER_URLS must use one scheme for all nodes, amqp:// or amqps://: a client that can fall back to a plaintext node has no protection.',
    )
  if (schemes.has('amqps:')) return openLink(fileSettings('BROKER'), files, onUnusable)
  refuseUnused(fileSettings('BROKER'), files, 'POSTERN_BROKER_URLS does not start with amqps://')
  return undefined
}

/** Returns undefined for a plaintext link, and throws if files are set for one. */
export function redisTls(
  url: string,
  files: TlsFiles = {},
  onUnusable: OnUnusable = () => undefined,
): LinkTls | undefined {
  if (/^rediss:/i.test(url)) return openLink(fileSettings('REDIS'), files, onUnusable)
  refuseUnused(fileSettings('REDIS'), files, 'POSTERN_REDIS_URL does not start with rediss://')
  return undefined
}

function fileSettings(engine: 'BROKER' | 'REDIS'): FileSettings {
  const setting = (what: string): string => `POSTERN_${engine}_${what}_FILE`
  return { ca: setting('CA'), cert: setting('CERT'), key: setting('KEY') }
}

function refuseUnused(settings: FileSettings, files: TlsFiles, reason: string): void {
  for (const kind of ['ca', 'cert', 'key'] as const)
    if (files[`${kind}File`] !== undefined)
      throw new ConfigError(
        `${settings[kind]} is set, but ${reason}: the link would be in plaintext. Change the URL, or remove ${settings[kind]}.`,
      )
}
