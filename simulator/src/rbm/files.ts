/** Files that messages may name: by address, or uploaded. Keeps names only, a bounded number of them. */
import { objectOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { makeRoom } from '../shared/make-room.ts'
import { isUrl } from './media.ts'

const MAX_FILES = 10_000
const fileType = /^(?:(?:image|audio|video)\/[a-z0-9.+-]+|application\/(?:ogg|pdf))$/i

export class Files {
  readonly #anyFile: boolean
  readonly #newId: () => string
  readonly #names = new Set<string>()

  constructor(anyFile: boolean, newId: () => string) {
    this.#anyFile = anyFile
    this.#newId = newId
  }

  /** The answer of `POST /v1/files`, or undefined when an address is not one. */
  create(fields: Fields): Fields | undefined {
    const { fileUrl, thumbnailUrl } = objectOf(fields)
    if (!isUrl(fileUrl) || (thumbnailUrl !== undefined && !isUrl(thumbnailUrl))) return undefined
    return { name: this.#add(), ...(thumbnailUrl === undefined ? {} : { thumbnailName: this.#add() }) }
  }

  /** Returns undefined if the type is not that of a file. */
  upload(contentType: string): Fields | undefined {
    return fileType.test(contentType) ? { name: this.#add() } : undefined
  }

  knows(name: string): boolean {
    return this.#anyFile || this.#names.has(name)
  }

  clear(): void {
    this.#names.clear()
  }

  #add(): string {
    makeRoom(this.#names, MAX_FILES)
    const name = `files/${this.#newId()}`
    this.#names.add(name)
    return name
  }
}
