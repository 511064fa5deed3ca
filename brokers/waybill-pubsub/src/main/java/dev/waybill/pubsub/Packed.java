package dev.waybill.pubsub;

import com.google.pubsub.v1.PublishRequest;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages packed into a request.
 *
 * @param fit those in it, in order
 * @param unfit those that do not fit, with their answers
 */
record Packed(PublishRequest request, List<Place> fit, Map<Place, Delivery> unfit) {

    /**
     * @param project where the topic is, unless it is named in full
     */
    static Packed of(List<Place> places, String topic, String project) {
        PublishRequest.Builder request = PublishRequest.newBuilder().setTopic(Names.topic(project, topic));
        List<Place> fit = new ArrayList<>(places.size());
        Map<Place, Delivery> unfit = new HashMap<>();
        for (Place place : places) {
            Letter letter = Letter.of(place.message());
            if (letter instanceof Letter.Fit good) {
                request.addMessages(good.message());
                fit.add(place);
            } else if (letter instanceof Letter.Unfit bad) {
                unfit.put(place, bad.why());
            }
        }
        return new Packed(request.build(), fit, unfit);
    }
}
