/**
 * Uploaded files at Google: each is uploaded once for an agent, and its name is used until it may have expired. What
 * cannot be uploaded ends the submission before the message is sent.
 */
import type { FileReference } from '../../channels/channel.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import type { Api } from './api.ts'
import { parseObject, textOf } from '../json.ts'
import { UploadCache, type Upload } from '../uploads.ts'
import type { RbmOptions } from './options.ts'
import { readError } from './outcome.ts'
import { uploadRequest } from './requests.ts'

const maxNameLength = 1_024
/** Google keeps a file for 60 days; older documents say 30. */
const knownForMs = 7 * 86_400_000
/** Of the types that uploads accept here, all but BMP. */
const types = new Set(['image/jpeg', 'image/png', 'image/gif'])

const unreadable: SubmitOutcome = {
  kind: 'unreachable',
  code: 'rbm:files',
  text: 'the store of files is unavailable',
}

export class UploadedFiles {
  readonly #options: Pick<RbmOptions, 'throttleRetryMs'>
  readonly #api: Api
  readonly #uploads: UploadCache<SubmitOutcome>

  constructor(
    options: Pick<RbmOptions, 'throttleRetryMs'>,
    api: Api,
    context: Pick<ConnectorContext, 'openFile' | 'onEvent'>,
  ) {
    this.#options = options
    this.#api = api
    this.#uploads = new UploadCache(context, unreadable)
  }

  /** The names by key, or the outcome of a submission whose files cannot be uploaded. */
  async resolve(
    files: readonly FileReference[],
    agentId: string,
  ): Promise<ReadonlyMap<string, string> | SubmitOutcome> {
    const names = new Map<string, string>()
    for (const { key } of files) {
      const found = await this.#uploads.find(key, agentId, (file) => this.#upload(file, agentId))
      if (found.kind === 'failed') return found.failure
      if (found.kind === 'foreign')
        return refused('a file is not one of this gateway, or does not exist any more')
      names.set(key, found.reference)
    }
    return names
  }

  async #upload(file: ConnectorFile, agentId: string): ReturnType<Upload<SubmitOutcome>> {
    if (!types.has(file.contentType))
      return { failure: refused(`RBM shows no ${file.contentType}; use JPEG, PNG or GIF`) }
    const result = await this.#api.call(uploadRequest(agentId, file))
    // Only the file was perhaps sent, not the message.
    if (result.kind === 'no-token') return { failure: notUploaded(result.code) }
    if (result.kind !== 'answer') return { failure: notUploaded(`rbm:${result.code}`) }
    const name = textOf((parseObject(result.body.toString()) ?? {})['name'])
    if (result.status === 200 && name !== '' && name.length <= maxNameLength)
      return { reference: name, lifetimeMs: knownForMs }
    return { failure: this.#outcomeOf(result.status, result.body, result.retryAfterMs) }
  }

  #outcomeOf(status: number, body: Buffer, retryAfterMs: number | null): SubmitOutcome {
    const error = readError(body)
    const code = error?.status ?? `http:${status}`
    if (status === 429)
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? this.#options.throttleRetryMs }
    if (error?.status === 'INVALID_ARGUMENT')
      return { kind: 'refused', cause: 'attachment', code, text: error.message }
    return { kind: 'unreachable', code, text: error?.message ?? 'a file was not uploaded' }
  }
}

function refused(text: string): SubmitOutcome {
  return { kind: 'refused', cause: 'attachment', code: 'rbm:file', text }
}

function notUploaded(code: string): SubmitOutcome {
  return { kind: 'unreachable', code, text: 'a file was not uploaded' }
}
