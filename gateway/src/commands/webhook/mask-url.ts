/** A path or a query of a URL may hold a token: commands print the rest. */

/** Such as `https://shop.example`. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

/** Such as `https://shop.example/…`; a URL without a path stays as it is. */
export function maskUrl<Webhook extends { readonly url: string }>(webhook: Webhook): Webhook {
  const origin = originOf(webhook.url)
  return webhook.url.replace(/\/$/, '') === origin ? webhook : { ...webhook, url: `${origin}/…` }
}
