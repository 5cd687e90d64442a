/** Converts names to Kakao's spelling: `urlMobile` becomes `url_mobile`. The depth of the content is already limited. */

export type KakaoJson = Readonly<Record<string, unknown>>

export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeName(name), toSnakeCase(inner)]),
  )
}

export function snakeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
