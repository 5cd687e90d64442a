/**
 * Uploads files to Google. Each file is uploaded once per agent, and its name is reused for a week. A file that
 * cannot be uploaded ends the submission before the message is sent.
 */
import type { FileReference } from '../../../channels/channel.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import type { RbmApi } from './api.ts'
import { parseObject, readString } from '../http/json.ts'
import { UploadCache, type Upload } from '../uploads.ts'
import type { RbmOptions } from './options.ts'
import { parseApiError } from './outcome.ts'
import { rbmUploadRequest } from './requests.ts'

const maxNameLength = 1_024
/** A week, well below the time for which Google keeps a file: 60 days, or 30 in older documents. */
const knownForMs = 7 * 86_400_000
/** The types that this gateway accepts, except BMP. */
const types = new Set(['image/jpeg', 'image/png', 'image/gif'])

const unreadable: SubmitOutcome = { kind: 'unreachable', code: 'rbm:files', text: 'file store unavailable' }

export class RbmFiles {
  readonly #options: Pick<RbmOptions, 'throttleRetryMs'>
  readonly #api: RbmApi
  readonly #uploads: UploadCache<SubmitOutcome>

  constructor(
    options: Pick<RbmOptions, 'throttleRetryMs'>,
    api: RbmApi,
    context: Pick<ConnectorContext, 'openFile' | 'onEvent'>,
  ) {
    this.#options = options
    this.#api = api
    this.#uploads = new UploadCache(context, unreadable)
  }

  /** Returns the names by key, or the outcome of a submission whose files cannot be uploaded. */
  async resolve(
    files: readonly FileReference[],
    agentId: string,
  ): Promise<ReadonlyMap<string, string> | SubmitOutcome> {
    const names = new Map<string, string>()
    for (const { key } of files) {
      const found = await this.#uploads.find(key, agentId, (file) => this.#upload(file, agentId))
      if (found.kind === 'failed') return found.failure
      if (found.kind === 'foreign') return refused('file not found in this gateway')
      names.set(key, found.reference)
    }
    return names
  }

  async #upload(file: ConnectorFile, agentId: string): ReturnType<Upload<SubmitOutcome>> {
    if (!types.has(file.contentType))
      return { failure: refused(`RBM does not support ${file.contentType}; use JPEG, PNG or GIF`) }
    const result = await this.#api.call(rbmUploadRequest(agentId, file))
    // Only the file was possibly sent, not the message.
    if (result.kind === 'no-token') return { failure: notUploaded(result.code) }
    if (result.kind !== 'answer') return { failure: notUploaded(`rbm:${result.code}`) }
    const name = readString((parseObject(result.body.toString()) ?? {})['name'])
    if (result.status === 200 && name !== '' && name.length <= maxNameLength)
      return { reference: name, lifetimeMs: knownForMs }
    return { failure: this.#toOutcome(result.status, result.body, result.retryAfterMs) }
  }

  #toOutcome(status: number, body: Buffer, retryAfterMs: number | null): SubmitOutcome {
    const error = parseApiError(body)
    const code = error?.status ?? `http:${status}`
    if (status === 429)
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? this.#options.throttleRetryMs }
    if (error?.status === 'INVALID_ARGUMENT')
      return { kind: 'refused', cause: 'attachment', code, text: error.message }
    return { kind: 'unreachable', code, text: error?.message ?? 'file upload failed' }
  }
}

function refused(text: string): SubmitOutcome {
  return { kind: 'refused', cause: 'attachment', code: 'rbm:file', text }
}

function notUploaded(code: string): SubmitOutcome {
  return { kind: 'unreachable', code, text: 'file upload failed' }
}
