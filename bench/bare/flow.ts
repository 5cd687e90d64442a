/**
 * Bare omni send: request shape with placeholders filled in. Messages of the flow are searched for `#{key}`,
 * but channel limits are not checked.
 */
export interface FlowBody {
  readonly destinations: readonly {
    readonly to: string
    readonly replaceWords?: Readonly<Record<string, string>>
  }[]
  readonly messageFlow: readonly Readonly<Record<string, object>>[]
  readonly ref?: string
}

const text = { type: 'string' }
const words = { type: 'object', additionalProperties: text }

export const flowSchema = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['destinations', 'messageFlow'],
    properties: {
      destinations: {
        type: 'array',
        minItems: 1,
        maxItems: 10,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['to'],
          properties: { to: { type: 'string', minLength: 1, maxLength: 20 }, replaceWords: words },
        },
      },
      messageFlow: {
        type: 'array',
        minItems: 1,
        maxItems: 6,
        items: {
          type: 'object',
          minProperties: 1,
          maxProperties: 1,
          additionalProperties: { type: 'object' },
        },
      },
      ref: { type: 'string', maxLength: 200 },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        code: text,
        result: text,
        data: {
          type: 'object',
          properties: {
            destinations: {
              type: 'array',
              items: { type: 'object', properties: { to: text, msgKey: text, code: text, result: text } },
            },
          },
        },
        ref: text,
      },
    },
  },
}

/** Returns one step per message, with the gateway's channel names. */
export function fillFlow(flow: FlowBody['messageFlow'], words: Readonly<Record<string, string>>): object[] {
  return flow.flatMap((entry) =>
    Object.entries(entry).map(([channel, content]) => ({ channel, content: fill(content, words) as object })),
  )
}

function fill(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    return value.includes('#{')
      ? value.replace(/#\{([^{}]+)\}/g, (_, key: string) => words[key] ?? '')
      : value
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, words))
  if (typeof value !== 'object' || value === null) return value
  const filled: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) filled[key] = fill(inner, words)
  return filled
}
