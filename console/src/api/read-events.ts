/** Reads server-sent events from a response. `EventSource` cannot send an operator key. */
export interface ServerEvent {
  readonly event: string
  readonly data: string
}

const maxEvent = 1_000_000

export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      buffer += decoder.decode(value, { stream: true }).replaceAll('\r\n', '\n')
      if (buffer.length > maxEvent) throw new Error('event of the server exceeds 1 MB')
      for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
        const event = parseEvent(buffer.slice(0, end))
        buffer = buffer.slice(end + 2)
        if (event !== null) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Returns null for a keep-alive comment. */
function parseEvent(text: string): ServerEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of text.split('\n')) {
    const [, field, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value!
    if (field === 'data') data.push(value!)
  }
  return data.length === 0 ? null : { event, data: data.join('\n') }
}
