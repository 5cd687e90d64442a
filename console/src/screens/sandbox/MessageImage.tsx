/** Image from the file store, or a placeholder for one that only the carrier has or that cannot be loaded. */
import { useRead } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import type { Image } from './entries.ts'
import { sandboxTexts } from './texts.ts'

export interface FileSource {
  readonly msgKey: string
  readonly step: number
}

interface Props {
  readonly image: Image
  readonly source: FileSource
  readonly alt: string
}

export function MessageImage({ image, source, alt }: Props) {
  return image.file === null ? (
    <Missing note={image.address} />
  ) : (
    <Stored file={image.file} source={source} alt={alt} />
  )
}

function Stored({
  file,
  source,
  alt,
}: {
  readonly file: number
  readonly source: FileSource
  readonly alt: string
}) {
  const { data, error } = useRead('showSandboxFile', { params: { ...source, file } })
  if (error !== null) return <Missing note={error.message} />
  if (data === undefined) return <div className="picture waiting" />
  return <img className="picture" src={`data:${data.contentType};base64,${data.base64}`} alt={alt} />
}

function Missing({ note }: { readonly note: string | null }) {
  const t = useTexts(sandboxTexts)
  return (
    <div className="picture missing small">
      <span>{t.pictureElsewhere}</span>
      {note === null ? null : <span className="mono">{note}</span>}
    </div>
  )
}
