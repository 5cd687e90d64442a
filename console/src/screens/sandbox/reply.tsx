/**
 * Sends a reply of a phone. A word that opts out or in is stored as the choice of the recipient, so the gateway wants its reason: it is asked for
 * when the gateway says so, because only the gateway knows the words.
 */
import { useState, type ReactNode } from 'react'
import type { Data } from '../../api/call.ts'
import type { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { Message, Step } from './entries.ts'
import { sandboxTexts } from './texts.ts'

export interface Answered {
  readonly message: Message
  readonly step: Step
}

export interface SendReply {
  readonly send: (answered: Answered, text: string) => void
  readonly isPending: boolean
  readonly data: Data<'sendSandboxReply'> | undefined
  /** Null while the reason is asked for. */
  readonly problem: Problem | null
  /** The question for the reason, where there is one. */
  readonly dialog: ReactNode
}

export function useSendReply(onSent: () => void = () => undefined): SendReply {
  const t = useTexts(sandboxTexts)
  const reply = useChange('sendSandboxReply')
  const [asked, setAsked] = useState<{ readonly answered: Answered; readonly text: string } | null>(null)
  const inputOf = ({ message, step }: Answered, text: string, reason?: string) => ({
    params: { msgKey: message.msgKey },
    body: { text, step: step.step, ...(reason === undefined ? {} : { reason }) },
  })
  const needsReason = reply.error?.code === 'reason-missing'
  return {
    send: (answered, text) =>
      reply.mutate(inputOf(answered, text), {
        onSuccess: onSent,
        onError: ({ code }) => {
          if (code === 'reason-missing') setAsked({ answered, text })
        },
      }),
    ...{ isPending: reply.isPending, data: reply.data, problem: needsReason ? null : reply.error },
    dialog:
      asked === null ? null : (
        <Confirm
          title={t.choiceTitle(asked.text)}
          confirmLabel={t.send}
          onConfirm={async (reason) => {
            await reply.mutateAsync(inputOf(asked.answered, asked.text, reason))
            onSent()
          }}
          onClose={() => setAsked(null)}
        >
          <p>{t.choiceEffect(asked.answered.message.account ?? '')}</p>
        </Confirm>
      ),
  }
}
