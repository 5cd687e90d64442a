/**
 * Holds the files of the built console in memory. Only files of the build directory are served, so no path
 * leads out of it. They are read at the first request, and again after a new build.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Limits far above the size of a build. */
const maxFiles = 500
const maxBytes = 20 * 1024 * 1024

export interface ConsoleFile {
  readonly type: string
  readonly content: Buffer
  /** `undefined` if compression saves nothing, such as for images. */
  readonly gzip?: Buffer
  /** Whether the file name contains a hash of the content. */
  readonly hashed: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}
const incompressible = new Set(['.png', '.ico', '.woff2'])

/** Locations in the npm package, and in the repository and the image. */
const places = [
  join(import.meta.dirname, '../../../console'),
  join(import.meta.dirname, '../../../../console/dist'),
]

type Files = ReadonlyMap<string, ConsoleFile>

export class ConsoleFiles {
  readonly #folders: readonly string[]
  #read: { readonly builtAt: number; readonly files: Promise<Files> } | undefined

  constructor(folders: readonly string[] = places) {
    this.#folders = folders
  }

  /** Returns `null` if the console is not built, and `undefined` for a path without a file. */
  async find(path: string): Promise<ConsoleFile | undefined | null> {
    const built = await this.#findBuild()
    if (built === null) return null
    if (this.#read?.builtAt !== built.at) {
      const read = { builtAt: built.at, files: readAll(built.folder) }
      this.#read = read
      // A failed read is not cached.
      read.files.catch(() => {
        if (this.#read === read) this.#read = undefined
      })
    }
    return (await this.#read.files).get(path)
  }

  async #findBuild(): Promise<{ readonly folder: string; readonly at: number } | null> {
    for (const folder of this.#folders) {
      const index = await stat(join(folder, 'index.html')).catch(() => null)
      if (index !== null) return { folder, at: index.mtimeMs }
    }
    return null
  }
}

async function readAll(folder: string): Promise<Files> {
  const files = new Map<string, ConsoleFile>()
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const extension = extname(entry.name)
    const type = types[extension]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const content = await readFile(file)
    bytes += content.length
    if (files.size >= maxFiles || bytes > maxBytes)
      throw new Error(
        `${folder} has more than ${maxFiles} files or ${maxBytes} bytes; delete the directory and build the console again`,
      )
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const compressed = incompressible.has(extension) ? {} : { gzip: await compress(content, { level: 9 }) }
    files.set(path, { type, content, ...compressed, hashed: path.startsWith('/assets/') })
  }
  return files
}
