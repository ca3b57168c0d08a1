const STORED = 'cardctl-endpoint'

/** The URL of one's own endpoint, as it was typed last; empty if it never was. The browser keeps it. */
export const storedEndpoint = (): string => localStorage.getItem(STORED) ?? ''

export const storeEndpoint = (url: string): void => localStorage.setItem(STORED, url)

/** The host of a URL that must be typed again, because it is another machine; undefined if none must be. */
export function hostToConfirm(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  const isHere = host === '' || host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
  return isHere ? undefined : host
}
