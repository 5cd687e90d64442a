/**
 * How the API listens: over TLS with a certificate and key from files, which are read again when they change, or in clear.
 * In clear on an address that others can reach it needs a decision of the operator (POSTERN_HTTP_CLEAR).
 */
import { isIP } from 'node:net'
import { createSecureContext, type Server as TlsServer } from 'node:tls'
import { ConfigError, type Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { readPemFile } from '../../platform/tls.ts'

export interface ServerCertificate {
  readonly cert: string
  readonly key: string
  readonly minVersion: 'TLSv1.2'
}

/** One year, for this host alone: other hosts of the domain are not the gateway's. */
export const strictTransportSecurity = 'max-age=31536000'

type CertificateFiles = Pick<Config, 'httpCertFile' | 'httpKeyFile'>

/** Undefined: the API listens in clear. Throws a ConfigError when the files cannot be used or that is not allowed. */
export function readCertificate(
  config: CertificateFiles & Pick<Config, 'httpClear' | 'httpHost'>,
  log: Log,
  name = 'the API',
): ServerCertificate | undefined {
  const certificate = readFiles(config)
  if (certificate !== undefined || isLoopback(config.httpHost) || config.httpClear === 'proxy')
    return certificate
  const what = `${name} listens in clear on ${config.httpHost}: tokens and message texts can be read on the network. Set POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE, or listen on 127.0.0.1, or set POSTERN_HTTP_CLEAR=proxy when a reverse proxy of yours serves HTTPS`
  if (config.httpClear === 'refuse') throw new ConfigError(what)
  log.warn({}, what)
  return undefined
}

/** Refuses a proxy without hops: every client would have its address, and one of them could use up the login limits of all. */
export function requireProxyHops(
  { httpClear, httpCertFile }: Pick<Config, 'httpClear' | 'httpCertFile'>,
  hops: number,
  setting: 'POSTERN_PROXY_HOPS' | 'POSTERN_ADMIN_PROXY_HOPS',
): void {
  if (httpClear !== 'proxy' || httpCertFile !== undefined || hops > 0) return
  // The admin API refuses to listen in clear with a warning only.
  const otherwise =
    setting === 'POSTERN_PROXY_HOPS'
      ? 'POSTERN_HTTP_CLEAR=warn'
      : 'POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE'
  throw new ConfigError(
    `${setting} is 0, but POSTERN_HTTP_CLEAR=proxy leaves HTTPS to a reverse proxy: all clients would share its address and its limits. Set ${setting} to the number of your reverse proxies that set X-Forwarded-For, usually 1. For a proxy that does not set it, such as a TCP load balancer that ends TLS, set ${otherwise}.`,
  )
}

function readFiles({ httpCertFile, httpKeyFile }: CertificateFiles): ServerCertificate | undefined {
  if (httpCertFile === undefined && httpKeyFile === undefined) return undefined
  if (httpCertFile === undefined || httpKeyFile === undefined)
    throw new ConfigError('POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE must be set together.')
  const cert = readPemFile('POSTERN_HTTP_CERT_FILE', httpCertFile)
  const key = readPemFile('POSTERN_HTTP_KEY_FILE', httpKeyFile)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new ConfigError(
      `POSTERN_HTTP_CERT_FILE and POSTERN_HTTP_KEY_FILE must be a certificate in PEM and its private key: ${(error as NodeJS.ErrnoException).code ?? 'invalid'}`,
    )
  }
  return { cert, key, minVersion: 'TLSv1.2' }
}

/** Files that are half written or do not match keep the previous certificate. New connections use the new one. */
export function reloadCertificate(
  server: Pick<TlsServer, 'setSecureContext'>,
  config: CertificateFiles,
  current: ServerCertificate,
  log: Log,
  everyMs = 10_000,
): Periodic {
  let used = current
  let failing = false
  return every(everyMs, 'reading the certificate of the API', log, () => {
    try {
      const read = readFiles(config)
      failing = false
      if (read === undefined || (read.cert === used.cert && read.key === used.key)) return Promise.resolve()
      server.setSecureContext(read)
      used = read
      log.info({}, 'the API uses a new certificate')
    } catch (error) {
      if (!failing)
        log.warn(
          { reason: (error as Error).message },
          'the certificate of the API has changed and cannot be used; the previous one stays in use. Correct the files',
        )
      failing = true
    }
    return Promise.resolve()
  })
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
