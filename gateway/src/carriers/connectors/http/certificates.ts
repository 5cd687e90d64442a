/**
 * Checks the certificates in the options of a connector when a route is stored. Otherwise an invalid certificate would be
 * noticed only when the link connects. Errors never contain the PEM itself, which can be a private key.
 */
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

export interface Certificates {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** `prefix` is the path of the fields in error messages. */
export function checkCertificates({ ca, cert, key }: Certificates, prefix: string): void {
  // Parsed here, because OpenSSL ignores certificate authorities that it cannot parse, and then trusts none.
  if (ca !== undefined) requireAuthorities(ca, `${prefix}ca`)
  for (const [field, pems] of Object.entries({ cert: { cert }, key: { cert, key } })) {
    try {
      createSecureContext(pems)
    } catch (cause) {
      throw new Error(`${prefix}${field} must be valid PEM${field === 'key' ? ' and match cert' : ''}`, {
        cause,
      })
    }
  }
}

function requireAuthorities(ca: string, field: string): void {
  const blocks = ca.match(certificateBlock) ?? []
  const beginLines = ca.split('-----BEGIN ').length - 1
  try {
    if (blocks.length > 0 && blocks.length === beginLines) {
      for (const block of blocks) new X509Certificate(block)
      return
    }
  } catch {
    // Reported below.
  }
  throw new Error(
    `${field} must be one or more PEM certificates, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----`,
  )
}
