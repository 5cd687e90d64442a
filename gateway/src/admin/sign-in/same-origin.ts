/**
 * Refuses what another site makes a browser send in the name of a signed-in operator. Browsers say with `Sec-Fetch-Site` where a request
 * comes from; older ones with `Origin`. Asked only about requests with a cookie: a key is not sent by a browser on its own. Pure.
 */
import { OperationError } from '../../acts/errors.ts'

export interface OriginHeaders {
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly origin?: string | undefined
  readonly host?: string | undefined
}

/** `publicUrl`: POSTERN_ADMIN_URL; without it the host of the request counts. */
export function requireSameOrigin(headers: OriginHeaders, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site']
  const same = site === undefined ? hasOwnOrigin(headers, publicUrl) : site === 'same-origin'
  if (same) return
  throw new OperationError(
    'cross-site',
    `the request does not come from a page of this server (${site === undefined ? 'Origin' : 'Sec-Fetch-Site'} says so)`,
  )
}

function hasOwnOrigin({ origin, host }: OriginHeaders, publicUrl: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  const given = new URL(origin)
  // Behind a proxy the scheme of the request is not that of the browser.
  return publicUrl === undefined
    ? given.host === host?.toLowerCase()
    : given.origin === new URL(publicUrl).origin
}
