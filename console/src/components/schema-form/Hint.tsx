/** Text below a field: the error of the server, the name in the schema, and the description. */
import { useTexts } from '../../texts/texts.ts'
import { schemaTexts } from './texts.ts'

export interface ShownWords {
  readonly label: string
  readonly hint: string | undefined
  /** Name in the schema if it differs from the label. */
  readonly shownName: string | null
}

interface HintProps extends ShownWords {
  readonly id: string
  readonly problem?: string | null
  readonly secret?: boolean
}

export function Hint({ id, hint, shownName, problem = null, secret = false }: HintProps) {
  const t = useTexts(schemaTexts)
  return (
    <span id={id} className="small muted">
      {problem === null ? null : (
        <strong className="field-problem" role="alert">
          {problem}
        </strong>
      )}
      {shownName === null ? null : <code className="schema-name">{shownName}</code>} {hint}{' '}
      {secret ? t.secretHint : null}
    </span>
  )
}
