/** The class for a column's alignment, which MDX gives as a style; none for the usual one. */
export function alignment(style?: { textAlign?: string }): string | undefined {
  if (style?.textAlign === 'right') return 'text-right whitespace-nowrap';
  return style?.textAlign === 'center' ? 'text-center' : undefined;
}
