/**
 * TLS settings of the links to PostgreSQL, RabbitMQ and Redis, from the configuration. Certificates are always verified,
 * against the authorities of Node.js or the ones in a file, and a certificate of the gateway's own is shown to engines that ask for
 * one. A file that cannot be used stops the start. Files are read again with every connection.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { ConfigError } from './config-error.ts'

const begin = /-----BEGIN CERTIFICATE-----/g
const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The certificates of a PEM file, which must be complete: one that is being written is refused. `setting` begins the error text. */
export function readAuthorities(setting: string, path: string): string {
  const text = readPemFile(setting, path)
  const blocks = text.match(block) ?? []
  const begun = text.match(begin)?.length ?? 0
  try {
    for (const one of blocks) new X509Certificate(one)
    if (blocks.length > 0 && blocks.length === begun) return text
  } catch {
    // The error below says what it must be.
  }
  throw new ConfigError(
    `${setting} must name a file with one or more certificates in PEM, but ${path} has ${begun === 0 ? 'none' : 'one that is damaged or not complete'}`,
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

interface LinkPems {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** Options of `tls.connect`; the clients of the engines copy them for every connection. */
export interface LinkTls {
  /** Of the files as they are now; absent where no file is set. */
  readonly secureContext?: SecureContext
}

/** Files that were replaced and cannot be used: the link goes on with those that were read before. Called once for each fault, not with every connection. */
export type OnUnusable = (error: Error) => void

/** The certificate of the gateway and its key. `settings` name both in the error text. */
function readClientCertificate(
  [certSetting, keySetting]: readonly [string, string],
  certFile: string | undefined,
  keyFile: string | undefined,
): Pick<LinkPems, 'cert' | 'key'> {
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

/** What names each file in the error text. */
export interface FileSettings {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** `name`: the part of the settings that names the engine. */
function fileSettings(name: 'BROKER' | 'REDIS'): FileSettings {
  const setting = (what: string): string => `POSTERN_${name}_${what}_FILE`
  return { ca: setting('CA'), cert: setting('CERT'), key: setting('KEY') }
}

function readLink(settings: FileSettings, { caFile, certFile, keyFile }: TlsFiles): LinkPems {
  return {
    ...(caFile === undefined ? {} : { ca: readAuthorities(settings.ca, caFile) }),
    ...readClientCertificate([settings.cert, settings.key], certFile, keyFile),
  }
}

/** Throws when the files cannot be used now. */
export function openLink(settings: FileSettings, files: TlsFiles, onUnusable: OnUnusable): LinkTls {
  const first = readLink(settings, files)
  if (Object.keys(first).length === 0) return {}
  let context = createSecureContext(first)
  let fault: string | undefined
  return {
    // All files at once: a certificate and the key of another one are of no use.
    get secureContext() {
      try {
        context = createSecureContext(readLink(settings, files))
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

function refuseUnused(
  name: 'BROKER' | 'REDIS',
  { caFile, certFile, keyFile }: TlsFiles,
  [urlSetting, scheme]: readonly [string, string],
): void {
  const given = { CA: caFile, CERT: certFile, KEY: keyFile }
  for (const [what, file] of Object.entries(given))
    if (file !== undefined) throw unused(`POSTERN_${name}_${what}_FILE`, urlSetting, scheme)
}

export const databaseFileSettings: FileSettings = {
  ca: 'sslrootcert of POSTERN_DATABASE_URL',
  cert: 'sslcert of POSTERN_DATABASE_URL',
  key: 'sslkey of POSTERN_DATABASE_URL',
}

/**
 * `sslmode` prefer, require and verify-ca mean verify-full here, as in today's driver; a later one may verify less.
 * `no-verify` and `disable` stay; without `sslmode` a file means it, too. The files of `sslrootcert`, `sslcert` and `sslkey` are checked.
 */
export function verifiedDatabaseUrl(url: string, name = 'POSTERN_DATABASE_URL'): string {
  if (!URL.canParse(url)) {
    // The driver would read them in places where a missing file ends the process.
    if (/[?&]ssl(?:rootcert|cert|key)=/.test(url))
      throw new ConfigError(
        `${name} names files for TLS and is not a valid URL; write the host before the path, and special characters in percent-encoding`,
      )
    return url
  }
  const parsed = new URL(url)
  const { searchParams } = parsed
  const authorities = searchParams.get('sslrootcert')
  if (authorities !== null) readAuthorities(databaseFileSettings.ca, authorities)
  const [certFile, keyFile] = ['sslcert', 'sslkey'].map((name) => searchParams.get(name) ?? undefined)
  readClientCertificate([databaseFileSettings.cert, databaseFileSettings.key], certFile, keyFile)
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
export function brokerTls(
  urls: readonly string[],
  files: TlsFiles = {},
  onUnusable: OnUnusable = () => undefined,
): LinkTls | undefined {
  const schemes = new Set(urls.map((url) => new URL(url).protocol))
  if (schemes.size > 1)
    throw new ConfigError(
      'POSTERN_BROKER_URLS must be all amqp:// or all amqps://: a client that can fall back to a node in clear has no protection. Use one scheme for every node.',
    )
  if (!schemes.has('amqps:')) {
    refuseUnused('BROKER', files, ['POSTERN_BROKER_URLS', 'amqps://'])
    return undefined
  }
  return openLink(fileSettings('BROKER'), files, onUnusable)
}

/** Undefined: in clear. */
export function redisTls(
  url: string,
  files: TlsFiles = {},
  onUnusable: OnUnusable = () => undefined,
): LinkTls | undefined {
  if (!/^rediss:/i.test(url)) {
    refuseUnused('REDIS', files, ['POSTERN_REDIS_URL', 'rediss://'])
    return undefined
  }
  return openLink(fileSettings('REDIS'), files, onUnusable)
}

function unused(setting: string, urlSetting: string, scheme: string): ConfigError {
  return new ConfigError(
    `${setting} is set, but ${urlSetting} does not start with ${scheme}: the link would be in clear. Change the URL, or remove ${setting}.`,
  )
}
