import { formats, type Format } from '../../../channels/rcs/formats.ts'

/**
 * Returns the limits of each RCS format that the server enforces, as one line of Markdown per formatId; an
 * issued template ID has its own limits.
 */
export function formatLimits(): string {
  return [
    ...formats.map((format) => `- \`${format.id}\` ${format.layout}: ${describe(format)}`),
    '- An issued template ID: the limits with which the template was registered',
  ].join('\n')
}

function describe({ image, title, text, cards, buttonsPerCard, buttonLabel, subContents }: Format): string {
  const each = cards > 1 ? ' on each card' : ''
  return [
    image === null ? 'no image' : `image ${image.width}x${image.height}`,
    title === 0 ? 'no title' : `title ${title}`,
    text === 0 ? 'no text' : `text ${text}${cards > 1 ? ' in all' : ''}`,
    `${buttonsPerCard} button${buttonsPerCard === 1 ? '' : 's'} of ${buttonLabel}${each}`,
    ...(subContents === 0 ? [] : [`${subContents} sub-info${subContents === 1 ? '' : 's'}`]),
  ].join(', ')
}
