/** Finds requests on pages: `GET /v1/usage` in prose and code, and the URLs of `curl` commands. */
import { readBlocks } from './guides/blocks.ts'

export interface FoundRequest {
  readonly method: string
  /** The path without its query. Parts with `…`, `{name}` or `<name>` stand for any text. */
  readonly path: string
}

const methods = 'GET|POST|PUT|PATCH|DELETE'
const api = String.raw`/(?:admin/)?v1/[\w{}<>$/…-]+(?:\.json)?`
const named = new RegExp(`\\b(${methods}) (${api})`, 'g')
const address = new RegExp(String.raw`(?:\$POSTERN|https?://[\w.:-]+)(${api})`)

export function findRequests(page: string): FoundRequest[] {
  const written = [...page.matchAll(named)].map(([, method, path]) => ({ method: method!, path: path! }))
  const commands = readBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split(/\n|\||;|&&/))
  return [...written, ...commands.flatMap(readCurl)]
}

function readCurl(command: string): FoundRequest[] {
  const path = /\bcurl\b/.test(command) ? address.exec(command)?.[1] : undefined
  if (path === undefined) return []
  const [, method = / (?:-d|--data)\b/.test(command) ? 'POST' : 'GET'] = / -X ([A-Z]+)/.exec(command) ?? []
  return [{ method, path }]
}

/** `paths` is that of an OpenAPI document. */
export function isEndpoint({ method, path }: FoundRequest, paths: Readonly<Record<string, object>>): boolean {
  const segments = path.replace(/\/$/, '').split('/')
  return Object.entries(paths).some(([template, operations]) => {
    const parts = template.split('/')
    const isSame = (part: string, index: number): boolean =>
      part === segments[index] || /[{<…$]/.test(part) || /[{<…$]/.test(segments[index] ?? '')
    return (
      Object.hasOwn(operations, method.toLowerCase()) &&
      parts.length === segments.length &&
      parts.every(isSame)
    )
  })
}
