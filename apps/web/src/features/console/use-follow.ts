import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { LogStore } from './log-store.ts';

/** So far from the end still counts as being there. */
const AT_END_PX = 24;

interface FollowOptions {
  scroller: RefObject<HTMLElement | null>;
  store: Pick<LogStore, 'pause' | 'resume'>;
  isAutoScroll: boolean;
}

/**
 * Keeps the end of the log in sight. A reader who scrolls up is left alone, with nothing moving under their eyes,
 * until they come back to the end.
 */
export function useFollow({ scroller, store, isAutoScroll }: FollowOptions) {
  const [isAtEnd, setAtEnd] = useState(true);
  const [wasAutoScroll, setWasAutoScroll] = useState(isAutoScroll);
  const lastTop = useRef(0);
  const isFollowing = isAutoScroll && isAtEnd;
  if (isAutoScroll !== wasAutoScroll) {
    setWasAutoScroll(isAutoScroll);
    if (isAutoScroll) setAtEnd(true);
  }

  useEffect(() => {
    if (isFollowing) store.resume();
    else store.pause();
  }, [store, isFollowing]);
  // After every render: each new line, and each line that turns out higher than it was taken for, moves the end.
  useLayoutEffect(() => {
    // Where this leaves the list is noted: what it does by itself is not the reader scrolling up.
    if (isFollowing) lastTop.current = scrollToEnd(scroller.current);
  });

  function onScroll(): void {
    const element = scroller.current;
    if (!element) return;
    const isUp = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const isNearEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= AT_END_PX;
    if (isNearEnd) {
      setAtEnd(true);
      // Everything that came meanwhile, and from there on nothing moves by itself.
      if (!isAutoScroll) store.pause();
    } else if (isUp) setAtEnd(false);
  }

  /** To the newest line, with all that came meanwhile. */
  function jumpToEnd(): void {
    setAtEnd(true);
    if (isAutoScroll) return;
    store.pause();
    requestAnimationFrame(() => scrollToEnd(scroller.current));
  }

  return { isFollowing, onScroll, jumpToEnd };
}

function scrollToEnd(element: HTMLElement | null): number {
  if (!element) return 0;
  element.scrollTop = element.scrollHeight;
  return element.scrollTop;
}
