/** A client for JSON APIs over fetch, and access to the fields of a response by path. */

export interface JsonResponse {
  readonly status: number
  /** The text if the response is not JSON. */
  readonly body: unknown
}

/** Sends a GET without a body, a POST with one. */
export async function callJson(
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<JsonResponse> {
  const isForm = body instanceof FormData
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: isForm ? headers : { 'content-type': 'application/json; charset=utf-8', ...headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.endsWith('}') ? (JSON.parse(text) as unknown) : text }
}

/** Reads a field by path: `body.data.0.requestId`. */
export function field(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined),
      value,
    )
}

/** Reads one field of every entry of a list. */
export function fieldOfEach(value: unknown, list: string, name: string): unknown[] {
  return (field(value, list) as unknown[]).map((entry) => field(entry, name))
}
