/**
 * Checks the certificates in the options of a connector when a route is stored: one that cannot be read would otherwise
 * show only when a link is opened, at every try. An error never has the text itself, which may be a private key.
 */
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

export interface Certificates {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** `place` begins the error text: the path before the names of the fields. */
export function checkCertificates({ ca, cert, key }: Certificates, place: string): void {
  // OpenSSL ignores authorities that it cannot read, and then trusts nobody.
  if (ca !== undefined) requireAuthorities(ca, `${place}ca`)
  for (const [field, pems] of Object.entries({ cert: { cert }, key: { cert, key } })) {
    try {
      createSecureContext(pems)
    } catch (cause) {
      throw new Error(`${place}${field} must be a valid PEM text`, { cause })
    }
  }
}

function requireAuthorities(ca: string, place: string): void {
  const blocks = ca.match(certificate) ?? []
  const begun = ca.split('-----BEGIN ').length - 1
  try {
    if (blocks.length > 0 && blocks.length === begun) {
      for (const block of blocks) new X509Certificate(block)
      return
    }
  } catch {
    // The error below says what it must be.
  }
  throw new Error(
    `${place} must be one or more certificates in PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----`,
  )
}
