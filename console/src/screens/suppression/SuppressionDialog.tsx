/** Looks up one recipient or changes the suppression list after confirmation. */
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { SuppressionLookup } from './SuppressionEntry.tsx'
import { suppressionTexts } from './texts.ts'

export interface SuppressionRequest {
  readonly action: 'lookUp' | 'add' | 'remove'
  readonly account: string | undefined
  readonly numbers: readonly string[]
}

interface Props {
  readonly request: SuppressionRequest
  readonly onFound: (lookup: SuppressionLookup) => void
  readonly onChanged: (message: string) => void
  readonly onClose: () => void
}

export function SuppressionDialog({
  request: { action, account, numbers },
  onFound,
  onChanged,
  onClose,
}: Props) {
  const t = useTexts(suppressionTexts)
  const { language } = usePreferences()
  const show = useChange('showSuppression')
  const add = useChange('addSuppression')
  const remove = useChange('removeSuppression')
  const scope = account ?? t.allAccounts
  const texts = {
    lookUp: [t.lookUpTitle, t.lookUpEffect(scope)],
    add: [t.addTitle(t.given(numbers.length), scope), t.addEffect(scope)],
    remove: [t.removeTitle(t.given(numbers.length), scope), t.removeEffect(scope)],
  } as const
  const [title, effect] = texts[action]
  const run = async (reason: string): Promise<void> => {
    if (action === 'lookUp') {
      const entry = await show.mutateAsync({ body: { account, recipient: numbers[0]!.trim(), reason } })
      return onFound({ account, entry })
    }
    const body = { account, recipients: numbers.map((number) => number.trim()), reason }
    const { changed } = await (action === 'add' ? add : remove).mutateAsync({ body })
    onChanged(changed === 0 ? t.unchanged : t.changed(formatCount(changed, language)))
  }
  return (
    <Confirm
      title={title}
      confirmLabel={t[action]}
      danger={action === 'remove'}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{effect}</p>
    </Confirm>
  )
}
