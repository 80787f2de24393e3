/** Resolves once the coming frame is painted; soon, where the page is hidden and none is. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    const soon = (): void => void setTimeout(resolve);
    if (document.hidden) soon();
    else requestAnimationFrame(soon);
  });
