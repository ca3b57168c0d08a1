type Env = Readonly<Record<string, string | undefined>>

/** Whether a terminal takes no more than plain lines: nothing can be redrawn on it, and a pager is of no use. */
export const isDumb = ({TERM}: Env): boolean => TERM === 'dumb'

/**
 * The terminals that are known to have a second screen, by what their names begin with. Those of consoles and of hardware
 * (linux, vt100, ansi, sun) have none, and of a name that nobody knows it can't be relied on.
 */
const WITH_SECOND_SCREEN =
  /^(xterm|screen|tmux|rxvt|alacritty|kitty|foot|wezterm|vte|gnome|konsole|iterm|putty|mintty|ghostty|contour|mlterm|nsterm|st(-|$)|eterm|teraterm)/i

/** Whether what is shown on a terminal can be taken away without a trace: it has a second screen (`smcup` in terminfo). */
export const hasSecondScreen = ({TERM = ''}: Env, platform: NodeJS.Platform): boolean =>
  WITH_SECOND_SCREEN.test(TERM) || (platform === 'win32' && TERM === '')
