/**
 * Uploaded files at Google: each is uploaded once for an agent, and its name is used until it may have expired. What
 * cannot be uploaded ends the submission before the message is sent.
 */
import { LRUCache } from 'lru-cache'
import { shareCall } from '../../platform/share-call.ts'
import type { FileReference } from '../../channels/channel.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import type { Api } from './api.ts'
import { parseObject, textOf } from './json.ts'
import type { RbmOptions } from './options.ts'
import { readError } from './outcome.ts'
import { uploadRequest } from './requests.ts'

/** A name has about 60 characters. */
const maxKnown = 10_000
const maxNameLength = 1_024
/** Google keeps a file for 60 days; older documents say 30. */
const knownForMs = 7 * 86_400_000
/** Of the types that uploads accept here, all but BMP. */
const types = new Set(['image/jpeg', 'image/png', 'image/gif'])

type Uploaded = { readonly name: string } | { readonly outcome: SubmitOutcome }

export class UploadedFiles {
  readonly #options: Pick<RbmOptions, 'upload' | 'throttleRetryMs'>
  readonly #api: Api
  readonly #context: Pick<ConnectorContext, 'openFile' | 'onEvent'>
  readonly #known = new LRUCache<string, string>({ max: maxKnown, ttl: knownForMs })
  readonly #uploads = new Map<string, Promise<Uploaded>>()

  constructor(
    options: Pick<RbmOptions, 'upload' | 'throttleRetryMs'>,
    api: Api,
    context: Pick<ConnectorContext, 'openFile' | 'onEvent'>,
  ) {
    this.#options = options
    this.#api = api
    this.#context = context
  }

  /** The names by key, or the outcome of a submission whose files cannot be uploaded. */
  async resolve(
    files: readonly FileReference[],
    agentId: string,
  ): Promise<ReadonlyMap<string, string> | SubmitOutcome> {
    const names = new Map<string, string>()
    for (const { key } of files) {
      const uploaded = await this.#find(key, agentId)
      if ('outcome' in uploaded) return uploaded.outcome
      names.set(key, uploaded.name)
    }
    return names
  }

  #find(key: string, agentId: string): Promise<Uploaded> {
    const id = `${agentId} ${key}`
    const name = this.#known.get(id)
    if (name !== undefined) return Promise.resolve({ name })
    return shareCall(this.#uploads, id, () => this.#upload(id, key, agentId))
  }

  async #upload(id: string, key: string, agentId: string): Promise<Uploaded> {
    let file: ConnectorFile | null
    try {
      file = await this.#context.openFile(key)
    } catch {
      return {
        outcome: { kind: 'unreachable', code: 'rbm:files', text: 'the store of files is unavailable' },
      }
    }
    if (file === null) return refused('a file is not one of this gateway, or does not exist any more')
    if (!types.has(file.contentType)) return refused(`RBM shows no ${file.contentType}; use JPEG, PNG or GIF`)
    const result = await this.#api.call(uploadRequest(this.#options.upload, agentId, file))
    // Only the file was perhaps sent, not the message.
    if (result.kind === 'no-token') return notUploaded(result.code)
    if (result.kind !== 'answer') return notUploaded(`rbm:${result.code}`)
    const name = textOf((parseObject(result.body.toString()) ?? {})['name'])
    if (result.status === 200 && name !== '' && name.length <= maxNameLength) {
      this.#known.set(id, name)
      this.#context.onEvent('file-uploaded')
      return { name }
    }
    return { outcome: this.#outcomeOf(result.status, result.body, result.retryAfterMs) }
  }

  #outcomeOf(status: number, body: Buffer, retryAfterMs: number | null): SubmitOutcome {
    const error = readError(body)
    const code = error?.status ?? `HTTP-${status}`
    if (status === 429)
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? this.#options.throttleRetryMs }
    if (error?.status === 'INVALID_ARGUMENT')
      return { kind: 'refused', cause: 'attachment', code, text: error.message }
    return { kind: 'unreachable', code, text: error?.message ?? 'a file was not uploaded' }
  }
}

function refused(text: string): Uploaded {
  return { outcome: { kind: 'refused', cause: 'attachment', code: 'rbm:file', text } }
}

function notUploaded(code: string): Uploaded {
  return { outcome: { kind: 'unreachable', code, text: 'a file was not uploaded' } }
}
