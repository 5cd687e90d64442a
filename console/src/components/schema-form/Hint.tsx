/** What is below a field: why the server refused it, its name in the schema, and its description. */
import { useTexts } from '../../texts/texts.ts'
import { schemaTexts } from './texts.ts'

export interface ShownWords {
  readonly label: string
  readonly hint: string | undefined
  /** The name in the schema, where the label is another. */
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
