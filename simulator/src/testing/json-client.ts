export interface JsonResponse {
  readonly status: number
  /** Parsed JSON object, or the text if the response is not one. */
  readonly body: unknown
}

/** Sends a POST if there is a body, otherwise a GET. */
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

/** Reads one field of every entry of an array. */
export function fieldOfEach(value: unknown, listPath: string, name: string): unknown[] {
  return (field(value, listPath) as unknown[]).map((entry) => field(entry, name))
}
