/* presents.c - a program for tests/bridge/test_x11.sh that uses the X server's own
 * Present through xcb, and no GPU: what igpu gl answers is for Mesa alone. Whether DRI3
 * is there goes to stdout, and that a picture was shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/dri3.h>
#include <xcb/present.h>

int main(void)
{
    xcb_connection_t *c = xcb_connect(NULL, NULL);
    const xcb_query_extension_reply_t *there;
    xcb_screen_t *screen;
    xcb_present_query_version_reply_t *version;
    xcb_special_event_t *special;
    uint32_t window, pixmap, gc, eid;
    int bits = 0;

    if (xcb_connection_has_error(c))
        return 3;
    there = xcb_get_extension_data(c, &xcb_dri3_id);
    printf("DRI3 %d\n", there != NULL && there->present);
    there = xcb_get_extension_data(c, &xcb_present_id);
    printf("Present %d\n", there != NULL && there->present);
    if (there == NULL || !there->present)
        return 0;
    version =
        xcb_present_query_version_reply(c, xcb_present_query_version(c, 1, 2), NULL);
    printf("version %u.%u\n", version->major_version, version->minor_version);
    free(version);
    screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    window = xcb_generate_id(c);
    xcb_create_window(c, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 40, 30, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_map_window(c, window);
    pixmap = xcb_generate_id(c);
    xcb_create_pixmap(c, screen->root_depth, pixmap, window, 40, 30);
    gc = xcb_generate_id(c);
    xcb_create_gc(c, gc, pixmap, XCB_GC_FOREGROUND, (uint32_t[]){0x123456});
    xcb_poly_fill_rectangle(c, pixmap, gc, 1, (xcb_rectangle_t[]){{0, 0, 40, 30}});
    eid = xcb_generate_id(c);
    xcb_present_select_input(c, eid, window,
                             XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY |
                                 XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY);
    special = xcb_register_for_special_xge(c, &xcb_present_id, eid, NULL);
    xcb_present_pixmap(c, window, pixmap, 7, 0, 0, 0, 0, 0, 0, 0,
                       XCB_PRESENT_OPTION_COPY, 0, 0, 0, 0, NULL);
    xcb_flush(c);
    while (bits != 3) {
        xcb_present_generic_event_t *e = (void *)xcb_wait_for_special_event(c, special);

        if (e == NULL)
            return 3;
        bits |= e->evtype == XCB_PRESENT_COMPLETE_NOTIFY ? 1 : 2;
        free(e);
    }
    xcb_unregister_for_special_event(c, special);
    printf("shown\n");
    xcb_disconnect(c);
    return 0;
}
