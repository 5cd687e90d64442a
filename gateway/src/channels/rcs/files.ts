/**
 * Which uploaded files an RCS message refers to, so that the server can check that they exist, belong to the
 * account and are still kept. Looking them up is not done here.
 */
import type { Entry } from './entry.ts'
import type { SubContent } from './schema.ts'
import { mediaIn } from './values.ts'

export interface FileKey {
  /** The whole reference, as the upload answered it. */
  readonly key: string
  /** Of the field, from the content on. */
  readonly path: string
  readonly use: 'MMS' | 'RCS' | 'FRIENDTALK' | 'BRANDMESSAGE'
}

export function fileKeysOf(entry: Entry): readonly FileKey[] {
  const { standalone, carousel, template } = entry.content ?? {}
  return [
    ...(standalone === undefined ? [] : fieldKeys(standalone, 'content.standalone')),
    ...subKeys(standalone?.subContent, 'content.standalone'),
    ...(carousel ?? []).flatMap((card, index) => fieldKeys(card, `content.carousel[${index}]`)),
    ...(template === undefined ? [] : fieldKeys(template, 'content.template')),
    ...subKeys(template?.subContent, 'content.template'),
    ...(entry.body === undefined ? [] : fieldKeys(entry.body, 'body')),
  ]
}

/** Whatever its name: the keys of templates and of carrier formats are not ours. */
function fieldKeys(fields: object, path: string): FileKey[] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const key = typeof value === 'string' ? mediaIn(value) : null
    return key === null ? [] : [{ key, path: `${path}.${name}`, use: 'RCS' as const }]
  })
}

function subKeys(subContents: readonly SubContent[] | undefined, path: string): FileKey[] {
  return (subContents ?? []).flatMap((sub, index) => fieldKeys(sub, `${path}.subContent[${index}]`))
}
